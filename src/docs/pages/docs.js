// Convenience only: without this file every page can be read, and the form of the search is sent to the server.

const { body, documentElement: root } = document
const { root: docsRoot, search, searchIndex, searchLibrary, sections, served } = body.dataset
const kinds = ['curl', 'SDK', 'PHP']
const placeholders = {}

chooseSamples()
copyCode()
followHeadings()
useOwnValues()
openSearchByKey()
showPlace()

/** In contents that are longer than the window, the page that is read is in sight. */
function showPlace() {
  const contents = document.querySelector('.contents')
  const current = contents?.querySelector('[aria-current]')
  if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 3
}

/** Tabs, of which the chosen one is the same on all pages. */
function chooseSamples() {
  document.querySelectorAll('.samples[data-kinds]').forEach((group, at) => {
    const tabs = [...group.querySelectorAll('.kinds button')]
    const panels = [...group.querySelectorAll('.sample')]
    group.querySelector('.kinds').role = 'tablist'
    group.querySelector('.kinds').ariaLabel = 'Language of the sample'
    tabs.forEach((tab, index) => {
      tab.role = 'tab'
      tab.id = `tab-${at}-${index}`
      panels[index].role = 'tabpanel'
      panels[index].id = `panel-${at}-${index}`
      panels[index].setAttribute('aria-labelledby', tab.id)
      tab.setAttribute('aria-controls', panels[index].id)
      tab.addEventListener('click', () => choose(tab))
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (!step) return
        const next = tabs[(index + step + tabs.length) % tabs.length]
        choose(next)
        next.focus()
      })
    })
  })
  showChosen()
  // In another window of the same reader.
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== 'docs.kind' || !kinds.includes(newValue)) return
    root.dataset.kind = newValue
    showChosen()
  })

  function choose(tab) {
    const before = tab.getBoundingClientRect().top
    root.dataset.kind = tab.dataset.kind
    try {
      localStorage.setItem('docs.kind', tab.dataset.kind)
    } catch {
      // The reader allows no storage: it is chosen for this page.
    }
    showChosen()
    // What changed above must not move what the reader looks at.
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  }

  function showChosen() {
    for (const group of document.querySelectorAll('.samples[data-kinds]')) {
      const tabs = [...group.querySelectorAll('.kinds button')]
      const chosen = tabs.find((tab) => tab.dataset.kind === root.dataset.kind) ?? tabs[0]
      for (const tab of tabs) {
        tab.ariaSelected = String(tab === chosen)
        tab.tabIndex = tab === chosen ? 0 : -1
      }
    }
  }
}

function copyCode() {
  for (const button of document.querySelectorAll('.copy'))
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code')
      // Whoever runs a sample twice means two requests.
      for (const key of code.querySelectorAll('[data-value="key"]')) key.textContent = crypto.randomUUID()
      try {
        await navigator.clipboard.writeText(code.textContent.trimEnd())
        button.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(code)
        button.textContent = 'Selected'
      }
      button.classList.add('done')
      setTimeout(() => {
        button.textContent = 'Copy'
        button.classList.remove('done')
      }, 2000)
    })
}

/** Marks the heading that is being read. */
function followHeadings() {
  const links = new Map(
    [...document.querySelectorAll('.headings a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  )
  if (links.size === 0) return
  const seen = new Set()
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target.id)
      const first = [...links.keys()].find((id) => seen.has(id))
      if (first === undefined) return
      for (const [id, link] of links)
        if (id === first) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
    },
    { rootMargin: '-60px 0px -40% 0px' },
  )
  for (const id of links.keys()) watch.observe(document.getElementById(id))
}

/** A test token and a Space, which stay in this tab: samples show them, and calls are sent with them. */
function useOwnValues() {
  const form = document.querySelector('.own')
  const said = form?.querySelector('.said')
  const names = ['base', 'token', 'space']
  for (const place of document.querySelectorAll('[data-value]'))
    placeholders[place.dataset.value] ??= place.textContent
  const stored = (name) => {
    try {
      return sessionStorage.getItem(`docs.${name}`) ?? ''
    } catch {
      return ''
    }
  }
  show()
  if (form) {
    // Where the service itself serves the page, its address is known.
    const fields = names.flatMap((name) => form.elements[name] ?? [])
    for (const field of fields) field.value = stored(field.name)
    fillFromLink()
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const values = Object.fromEntries(names.map((name) => [name, form.elements[name]?.value.trim() ?? '']))
      const fault = faultOf(values)
      said.textContent = fault ?? 'The samples of all pages show them now, in this tab.'
      if (!fault) store(values)
    })
    form.addEventListener('reset', () => {
      store({ base: '', token: '', space: '' })
      said.textContent = 'They are forgotten.'
    })
  }
  for (const sending of document.querySelectorAll('form.sending')) sending.addEventListener('submit', send)

  /** What `npm start` prints has them behind the `#`, which browsers send nowhere. The reader decides whether to use them. */
  function fillFromLink() {
    const given = new URLSearchParams(location.hash.slice(1))
    if (!given.has('token')) return
    for (const name of ['token', 'space']) form.elements[name].value = given.get(name) ?? ''
    history.replaceState(null, '', location.pathname)
    said.textContent = 'From the link that you opened: use them if it is yours.'
  }

  function faultOf({ base, token, space }) {
    if (token.startsWith('psw_live_'))
      return 'That is a live token: it moves money, and does not belong here.'
    if (token !== '' && !/^psw_test_\w+$/.test(token)) return 'A test token begins with psw_test_.'
    if (space !== '' && !/^spc-\w+$/.test(space)) return 'The id of a Space begins with spc-.'
    if (base !== '' && !/^https?:\/\/[\w.:[\]-]+(?:\/[\w./-]*)?$/.test(base))
      return 'The address is like https://pay.example.com.'
    return undefined
  }

  function store(values) {
    try {
      for (const name of names)
        if (values[name]) sessionStorage.setItem(`docs.${name}`, values[name])
        else sessionStorage.removeItem(`docs.${name}`)
    } catch {
      said.textContent = 'Your browser keeps nothing for this page.'
    }
    show()
  }

  function show() {
    // What somebody else wrote into the storage is checked like what is typed.
    const values = Object.fromEntries(names.map((name) => [name, stored(name).replace(/\/$/, '')]))
    const isFine = faultOf(values) === undefined
    for (const place of document.querySelectorAll('[data-value]')) {
      const name = place.dataset.value
      if (names.includes(name)) place.textContent = (isFine && values[name]) || placeholders[name]
    }
    body.classList.toggle('has-token', isFine && values.token !== '')
  }

  /** To this very server, with a test token. */
  async function send(event) {
    event.preventDefault()
    const call = event.target.closest('.call')
    const received = event.target.querySelector('.received')
    const token = stored('token')
    if (!/^psw_test_\w+$/.test(token)) return
    let path = call.dataset.path
    for (const input of event.target.querySelectorAll('[data-in="path"]'))
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    const query = event.target.querySelector('[data-in="query"]')?.value ?? ''
    const text = event.target.querySelector('[data-in="body"]')?.value
    received.replaceChildren('…')
    const { space, key } = event.target.dataset
    const headers = {
      authorization: `Bearer ${token}`,
      ...(space === 'true' && { 'service-space-id': stored('space') }),
      ...(key === 'true' && { 'idempotency-key': crypto.randomUUID() }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      const response = await fetch(path + (query && `?${new URLSearchParams(query)}`), {
        method: call.dataset.method,
        headers,
        // Whoever is signed in to the console sends none of that.
        credentials: 'omit',
        redirect: 'error',
        ...(text !== undefined && { body: text }),
      })
      const answer = await response.text()
      showReceived(received, `${response.status} ${response.statusText}`, answer)
    } catch {
      showReceived(received, 'The service cannot be reached.', '')
    }
  }

  function showReceived(place, status, answer) {
    const head = document.createElement('p')
    head.className = 'caption'
    head.textContent = status
    const block = document.createElement('pre')
    block.tabIndex = 0
    const code = document.createElement('code')
    try {
      code.textContent = JSON.stringify(JSON.parse(answer), null, 2)
    } catch {
      code.textContent = answer
    }
    block.append(code)
    place.replaceChildren(head, ...(answer ? [block] : []))
  }
}

/** `/`, Ctrl+K, or the field in the bar; what searches is loaded then. */
function openSearchByKey() {
  const field = document.querySelector('.search input')
  let opened
  const open = (query) => {
    opened ??= import(new URL(search, document.baseURI)).then(({ openFinder }) =>
      openFinder({ docsRoot, searchIndex, searchLibrary, sections }),
    )
    opened.then(
      (finder) => {
        finder.show(query ?? field.value)
        if (query === undefined) field.value = ''
      },
      () => {
        // It could not be loaded: the form of the bar is still there.
        opened = undefined
      },
    )
  }
  const found = document.getElementById('found')
  // Where pages are files, nobody else searches.
  if (found && served === 'false') {
    found.replaceChildren()
    open(new URLSearchParams(location.search).get('q') ?? '')
  }
  addEventListener('keydown', (event) => {
    const isKey = event.key === '/' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
    const isTyping = event.key === '/' && event.target.closest?.('input, textarea, select, [contenteditable]')
    if (!isKey || isTyping || event.altKey || (event.key === '/' && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    // Until the dialog is there, what is typed stands here.
    field.focus()
    open()
  })
  field.addEventListener('click', () => open())
  field.addEventListener('input', () => open())
}
