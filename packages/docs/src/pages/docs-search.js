// The search in the browser. This script and the index of all sections are loaded on first use.

/**
 * Creates the search dialog and loads the index. The returned `show` opens the dialog with the text that has
 * been typed so far.
 */
export async function openFinder({ docsRoot, searchIndex, searchLibrary, sections }) {
  const at = (address) => new URL(address, document.baseURI)
  const { dialog, field, list, said } = makeDialog(at(docsRoot))
  // Readers can type while the index is loading.
  let find
  Promise.all([
    import(at(searchIndex)),
    import(at(searchLibrary)),
    fetch(at(sections)).then((response) => response.json()),
  ])
    .then(([{ newIndex, search }, { default: library }, all]) => {
      const index = newIndex(library)
      index.addAll(all)
      find = (query) => search(index, query)
      update()
    })
    .catch(() => {
      said.textContent = 'Could not load the search index. Press Enter to search on the server.'
    })
  field.addEventListener('input', update)
  dialog.addEventListener('keydown', moveByKeys)
  return {
    show(query) {
      if (!dialog.open) {
        dialog.showModal()
        field.value = query
      }
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
      update()
    },
  }

  function update() {
    const query = field.value
    if (!find) {
      said.textContent = 'Loading …'
      return
    }
    const hits = find(query)
    said.textContent =
      query.trim() === ''
        ? ''
        : hits.length === 0
          ? 'No results.'
          : `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`
    list.replaceChildren(...hits.map((hit) => entryOf(hit, at(docsRoot))))
  }

  function moveByKeys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const links = [...list.querySelectorAll('a')]
    const next = links.indexOf(document.activeElement) + step
    ;(next < 0 ? field : links[Math.min(next, links.length - 1)])?.focus()
  }
}

function makeDialog(root) {
  const dialog = document.createElement('dialog')
  dialog.className = 'finder'
  dialog.ariaLabel = 'Search the documentation'
  const form = document.createElement('form')
  form.role = 'search'
  form.action = document.querySelector('form.search')?.action ?? root
  const field = document.createElement('input')
  Object.assign(field, {
    type: 'search',
    name: 'q',
    placeholder: 'Search',
    maxLength: 100,
    autocomplete: 'off',
  })
  field.ariaLabel = 'Search the documentation'
  const close = document.createElement('button')
  Object.assign(close, { type: 'button', textContent: 'Close' })
  close.addEventListener('click', () => dialog.close())
  form.append(field, close)
  const said = document.createElement('p')
  said.role = 'status'
  const list = document.createElement('ul')
  list.className = 'hits'
  dialog.append(form, said, list)
  document.body.append(dialog)
  // Enter opens the first result. If there is none, it searches on the server.
  form.addEventListener('submit', (event) => {
    const first = list.querySelector('a')
    if (!first) return
    event.preventDefault()
    go(first)
  })
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) dialog.close()
  })
  // This is a click outside the dialog: its children cover it completely, so only its backdrop can be the
  // target.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  return { dialog, field, list, said }

  function go(link) {
    dialog.close()
    location.href = link.href
  }
}

function entryOf({ address, page, heading, excerpt }, root) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = new URL(address, root)
  const name = document.createElement('strong')
  name.append(...piecesOf(heading))
  const where = document.createElement('small')
  where.textContent = ` ${page}`
  const text = document.createElement('span')
  text.append(...piecesOf(excerpt))
  link.append(name, where, text)
  item.append(link)
  return item
}

/**
 * Returns the nodes for the pieces of a text. Every second piece is a search term. Pieces are inserted as text,
 * never as HTML.
 */
const piecesOf = (pieces) =>
  pieces.map((piece, at) => {
    if (at % 2 === 0) return piece
    const mark = document.createElement('mark')
    mark.textContent = piece
    return mark
  })
