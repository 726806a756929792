// This script is only for convenience. Without it, all pages can be read, and the search form is sent to the
// server.

const { body, documentElement: root } = document
const { root: docsRoot, search, searchIndex, searchLibrary, sections, served } = body.dataset
const kinds = ['curl', 'SDK', 'PHP', 'Python']
const placeholders = {}

chooseSamples()
copyCode()
copyPage()
followHeadings()
useOwnValues()
openSearchByKey()
showPlace()

/** Scrolls the table of contents to the entry for the current page. */
function showPlace() {
  const contents = document.querySelector('.contents')
  const current = contents?.querySelector('[aria-current]')
  if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 3
}

/** Turns samples into tabs. The chosen language applies to all pages. */
function chooseSamples() {
  document.querySelectorAll('.samples[data-kinds]').forEach((group, at) => {
    const tabs = [...group.querySelectorAll('.kinds button')]
    const panels = [...group.querySelectorAll('.sample')]
    group.querySelector('.kinds').role = 'tablist'
    group.querySelector('.kinds').ariaLabel = 'Sample language'
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
  for (const button of document.querySelectorAll('.picker button'))
    button.addEventListener('click', () => choose(button))
  showChosen()
  // The language was chosen in another window.
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
      // Storage is blocked, so the choice applies only to this page.
    }
    showChosen()
    // Keeps the clicked tab in place when samples above it change their height.
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  }

  function showChosen() {
    for (const button of document.querySelectorAll('.picker button'))
      button.ariaPressed = String(button.dataset.kind === root.dataset.kind)
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
      // Running a sample twice should make two requests.
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

/** Copies the Markdown of the page. If the browser does not allow this, opens it instead. */
function copyPage() {
  const button = document.querySelector('.copy-page')
  button?.addEventListener('click', async () => {
    const address = new URL(button.dataset.markdown, document.baseURI)
    try {
      const response = await fetch(address)
      if (!response.ok) throw new Error(response.statusText)
      await navigator.clipboard.writeText(await response.text())
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy as Markdown'
      }, 2000)
    } catch {
      location.href = address
    }
  })
}

/** Highlights the heading of the current section in the list of headings. */
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

/** Keeps a test token and a Space id in this tab. They are shown in samples and used to send requests. */
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
    // If the service itself serves the pages, its URL is known, and the form has no field for it.
    const fields = names.flatMap((name) => form.elements[name] ?? [])
    for (const field of fields) field.value = stored(field.name)
    fillFromLink()
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const values = Object.fromEntries(names.map((name) => [name, form.elements[name]?.value.trim() ?? '']))
      const fault = faultOf(values)
      said.textContent = fault ?? 'Saved in this tab. All samples now show these values.'
      if (!fault) store(values)
    })
    form.addEventListener('reset', () => {
      store({ base: '', token: '', space: '' })
      said.textContent = 'Cleared.'
    })
  }
  for (const sending of document.querySelectorAll('form.sending')) sending.addEventListener('submit', send)

  /**
   * If the reader opened the link that `npm start` prints, fills in the form with the values that the link
   * contains. They follow the `#`, so browsers do not send them. The reader decides whether to use them.
   */
  function fillFromLink() {
    const given = new URLSearchParams(location.hash.slice(1))
    if (!given.has('token')) return
    for (const name of ['token', 'space']) form.elements[name].value = given.get(name) ?? ''
    history.replaceState(null, '', location.pathname)
    said.textContent = 'Filled in from the link you opened. Use these values only if you trust the link.'
  }

  function faultOf({ base, token, space }) {
    if (token.startsWith('psw_live_'))
      return 'This is a live token, which can move money. Use a test token here.'
    if (token !== '' && !/^psw_test_\w+$/.test(token)) return 'A test token starts with psw_test_.'
    if (space !== '' && !/^spc-\w+$/.test(space)) return 'A Space id starts with spc-.'
    if (base !== '' && !/^https?:\/\/[\w.:[\]-]+(?:\/[\w./-]*)?$/.test(base))
      return 'Enter a URL such as https://pay.example.com.'
    return undefined
  }

  function store(values) {
    try {
      for (const name of names)
        if (values[name]) sessionStorage.setItem(`docs.${name}`, values[name])
        else sessionStorage.removeItem(`docs.${name}`)
    } catch {
      said.textContent = 'Your browser does not allow this page to store anything.'
    }
    show()
  }

  function show() {
    // Other scripts may have written to the storage, so stored values are validated like those typed by the
    // reader.
    const values = Object.fromEntries(names.map((name) => [name, stored(name).replace(/\/$/, '')]))
    const isFine = faultOf(values) === undefined
    for (const place of document.querySelectorAll('[data-value]')) {
      const name = place.dataset.value
      if (names.includes(name)) place.textContent = (isFine && values[name]) || placeholders[name]
    }
    body.classList.toggle('has-token', isFine && values.token !== '')
  }

  /** Sends the request to this server with the reader's test token. */
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
        // Prevents the browser from sending the console's session cookie.
        credentials: 'omit',
        redirect: 'error',
        ...(text !== undefined && { body: text }),
      })
      const answer = await response.text()
      showReceived(received, `${response.status} ${response.statusText}`, answer)
    } catch {
      showReceived(received, 'Could not reach the service.', '')
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

/**
 * Opens the search when the reader presses `/` or Ctrl+K or uses the field in the header. The search is loaded
 * on first use.
 */
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
        // If loading fails, the form in the header still works.
        opened = undefined
      },
    )
  }
  const found = document.getElementById('found')
  // If the pages are served as files, there is no search on the server.
  if (found && served === 'false') {
    found.replaceChildren()
    open(new URLSearchParams(location.search).get('q') ?? '')
  }
  addEventListener('keydown', (event) => {
    const isKey = event.key === '/' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
    const isTyping = event.key === '/' && event.target.closest?.('input, textarea, select, [contenteditable]')
    if (!isKey || isTyping || event.altKey || (event.key === '/' && (event.ctrlKey || event.metaKey))) return
    event.preventDefault()
    // The field receives what the reader types until the dialog opens.
    field.focus()
    open()
  })
  field.addEventListener('click', () => open())
  field.addEventListener('input', () => open())
}
