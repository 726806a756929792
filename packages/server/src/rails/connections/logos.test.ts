import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardSchemes } from '@pesewa/connector-kit'
import { loadCatalogue } from './catalogue.ts'
import { drawInitials, initialsOf } from './initials.ts'
import { drawings } from './logos.ts'

const catalogue = loadCatalogue()
const maxBytes = 2048

/** A drawing: simple shapes in a frame, without scripts, styles, references, comments or entities. */
const attribute = ' [a-z-]+(?:[A-Z][a-z]+)?="[^"<>&:]*"'
const element = `<(?:rect|circle|ellipse|path)(?:${attribute})+/>|<text(?:${attribute})+>[\\p{L}\\p{N}•]{1,3}</text>`
const drawing = new RegExp(
  `^<svg xmlns="http://www\\.w3\\.org/2000/svg"((?:${attribute})+)>\\n(?:<title>([\\w -]+)</title>\\n)?(?:(?:${element})\\n)+</svg>\\n$`,
  'u',
)

test('every provider and every card network has a small logo without scripts or references', () => {
  const ids = [...catalogue.all().map(({ providerId }) => providerId), ...cardSchemes]
  for (const id of ids) {
    const { type, path, image } = catalogue.logoOf(id)!
    assert.equal(type, 'image/svg+xml', id)
    assert.match(path, /^\/provider-logos\/[0-9a-f]{16}\.svg$/, id)
    assert(image.length <= maxBytes, `${id}: ${image.length} bytes`)
    assert.match(`${image}`, drawing, id)
    assert.doesNotMatch(`${image}`, / (?:on[a-z]+|href|style|class|id)=/, id)
  }
  assert.equal(catalogue.logoOf('toString'), undefined)
  assert.equal(catalogue.logoOf('nobody'), undefined)
})

test('every included drawing belongs to a provider or a card network, and fits into its lists', () => {
  const all = new Set([...catalogue.logos().values()].map(({ image }) => image))
  for (const [name, image] of drawings) {
    assert(all.has(image), `no provider is called ${name}`)
    const isCard = cardSchemes.some((scheme) => scheme === name)
    const [width, height] = isCard ? [60, 40] : [40, 40]
    const [, frame, title] = drawing.exec(`${image}`) ?? []
    assert.equal(title?.toLowerCase().replaceAll(' ', '-'), name)
    assert.equal(frame, ` viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`, name)
  }
})

test('a logo has the provider’s colour', () => {
  for (const { providerId, color } of catalogue.all())
    assert.match(
      `${catalogue.logoOf(providerId)?.image}`,
      new RegExp(`<rect [^>]*fill="${color}"`),
      providerId,
    )
})

test('initials leave out short words and keep abbreviations', () => {
  const initials = {
    'United Bank for Africa': 'UBA',
    'UBA Sierra Leone': 'UBA',
    'Sierra Leone Commercial Bank': 'SLC',
    'Orange Money': 'OM',
    QMoney: 'Q',
    'wave money': 'WM',
    'Écobank Côte d’Ivoire': 'ÉCI',
    '2Go': '2',
    '<b>&amp;': 'BA',
    '…': '•',
  }
  assert.deepEqual(
    Object.fromEntries(Object.keys(initials).map((name) => [name, initialsOf(name)])),
    initials,
  )
})

test('initials are legible in every colour, and a hostile name adds nothing to the drawing', () => {
  for (const [color, ink] of [
    ['#ffcc00', '#000'],
    ['#7f7f7f', '#000'],
    ['#6f6f6f', '#fff'],
    ['#fff', '#000'],
    ['#00f', '#fff'],
    ['#0f0', '#000'],
  ])
    assert.match(`${drawInitials('Wave', color)}`, new RegExp(`fill="${ink}">W</text>`), color)
  for (const name of ['</text><script>1</script>', '"&\'', 'A&B', '\u0000', '😀', '\ud800'])
    assert.match(`${drawInitials(name)}`, drawing, JSON.stringify(name))
})
