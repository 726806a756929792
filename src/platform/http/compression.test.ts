import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { packAround, sharePart } from './compression.ts'

const styles = sharePart(`body{color:red} ${'p{margin:0}'.repeat(500)} é`)

test('a page that is packed around its shared part unpacks to itself', () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 5_000 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (before, rest, times, packsRest) => {
        const page = Buffer.from(before + styles.text + rest.repeat(times)).toString()
        const packed = await packAround(page, styles, packsRest)
        assert.equal(gunzipSync(packed).toString(), page)
      },
    ),
    { numRuns: 50 },
  ))

test('what follows the shared part is as long as it is, where it must not be packed', async () => {
  const lengthOf = async (rest: string) => (await packAround(`<${styles.text}${rest}`, styles, false)).length
  assert.equal(await lengthOf('token'.repeat(100)), await lengthOf('kneto57139'.repeat(50)))
  assert((await lengthOf('')) < styles.text.length / 4)
})

test('a page without the shared part is a mistake of ours', () =>
  assert.rejects(packAround('<p>', styles), /must contain it/))
