import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contrast, surface } from '@pesewa/pages/colors'
import fc from 'fast-check'
import { brandColors } from './color.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('text on and next to any brand colour is legible', () => {
  fc.assert(
    fc.property(hex, (color) => {
      const { brand, onBrand, brandText, brandTextDark } = brandColors(color)
      assert.equal(brand, color)
      assert(contrast(onBrand, brand) >= 4.5)
      assert(contrast(brandText, surface.light) >= 4.5)
      assert(contrast(brandTextDark, surface.dark) >= 4.5)
    }),
    { numRuns: 2000 },
  )
})

test('text on any grey is legible, even halfway between white and black', () => {
  for (let value = 0; value < 256; value += 1) {
    const { brand, onBrand } = brandColors(`#${value.toString(16).padStart(2, '0').repeat(3)}`)
    assert(contrast(onBrand, brand) >= 4.5, brand)
  }
})

test('a legible colour stays unchanged', () => {
  assert.equal(brandColors('#0f6b4f').brandText, '#0f6b4f')
  assert.equal(brandColors('#ffffff').brandTextDark, '#ffffff')
})

test('the short form and upper case mean the same colour', () => {
  assert.deepEqual(brandColors('#0A7'), brandColors('#00aa77'))
})

test('contrast follows WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  assert.equal(contrast('#ffffff', '#777777').toFixed(2), '4.48')
})

test('only hex colours reach the page', () => {
  for (const color of ['red', '#12345', '#0a7;}body{display:none', ' #0a7', '#0a7\n', '', '#ggg']) {
    assert.deepEqual(brandColors(color), brandColors())
  }
})

test('the style sheet uses the surfaces that contrast is computed against', () => {
  const css = readFileSync(new URL(import.meta.resolve('@pesewa/pages/base.css')), 'utf8')
  assert(css.includes(`--page: ${surface.light}`))
  assert(css.includes(`--card: ${surface.dark}`))
})
