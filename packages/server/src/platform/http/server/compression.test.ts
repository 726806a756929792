import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { compressAround, compressSharedPart } from './compression.ts'

const styles = compressSharedPart(`body{color:red} ${'p{margin:0}'.repeat(500)} é`)

test('a page compressed around its shared part decompresses to itself', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 5_000 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (before, rest, times, packsRest) => {
        const page = Buffer.from(before + styles.text + rest.repeat(times)).toString()
        const packed = compressAround(page, styles, packsRest)
        assert.equal(gunzipSync(packed).toString(), page)
      },
    ),
    { numRuns: 50 },
  ))

test('without packsRest, what follows the shared part keeps its length', () => {
  const lengthOf = (rest: string) => compressAround(`<${styles.text}${rest}`, styles, false).length
  assert.equal(lengthOf('token'.repeat(100)), lengthOf('kneto57139'.repeat(50)))
  assert(lengthOf('') < styles.text.length / 4)
})

test('a page without the shared part is a bug', () =>
  assert.throws(() => compressAround('<p>', styles), /must contain it/))
