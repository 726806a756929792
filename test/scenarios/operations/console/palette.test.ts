import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paletteOf } from '../../../../packages/console/src/pages/settings/palette.ts'

type Pixel = readonly [red: number, green: number, blue: number, alpha: number]

/** Returns an image with this many pixels of each colour. */
const image = (...parts: [pixel: Pixel, count: number][]) =>
  parts.flatMap(([pixel, count]) => Array.from({ length: count }, () => pixel).flat())

const white: Pixel = [255, 255, 255, 255]
const green: Pixel = [15, 107, 79, 255]
const orange: Pixel = [255, 121, 0, 255]
const grey: Pixel = [120, 120, 120, 255]
const clear: Pixel = [200, 0, 0, 0]

test('the colours of a logo are exact, the most frequent and colourful first, and without its background', () => {
  assert.deepEqual(paletteOf(image([white, 900], [grey, 120], [orange, 30], [green, 90])), [
    '#0f6b4f',
    '#ff7900',
    '#787878',
  ])
  assert.deepEqual(paletteOf(image([clear, 900], [green, 1])), ['#0f6b4f'])
  assert.deepEqual(paletteOf(image([white, 10])), ['#ffffff'])
  assert.deepEqual(paletteOf(image([clear, 10])), [])
  assert.deepEqual(paletteOf([]), [])
})

test('blurred edges add no colours that look alike', () => {
  const blurred: [Pixel, number][] = [8, 16, 24, 32].map((by) => [[15 + by, 107 + by, 79 + by, 255], 3])
  assert.deepEqual(paletteOf(image([white, 400], [green, 100], ...blurred)), ['#0f6b4f'])
})

test('at most five distinct colours are returned, whatever the order of the pixels', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  const pixels = fc.array(fc.tuple(channel, channel, channel, fc.constantFrom(0, 127, 128, 255)), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(pixels, (all) => {
      const palette = paletteOf(all.flat())
      assert.ok(palette.length <= 5)
      assert.equal(new Set(palette).size, palette.length)
      assert.ok(palette.every((color) => /^#[0-9a-f]{6}$/.test(color)))
      assert.deepEqual(paletteOf(all.toReversed().flat()), palette)
      assert.equal(
        palette.length > 0,
        all.some(([, , , alpha]) => alpha >= 128),
      )
    }),
  )
})
