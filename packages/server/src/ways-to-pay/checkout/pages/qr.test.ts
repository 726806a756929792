import assert from 'node:assert/strict'
import { test } from 'node:test'
import QRCode from 'qrcode'
import { qrCode } from './qr.ts'

test('the path draws exactly the dark modules of the code, with a margin of four', () => {
  const address = `https://pay.example.com/pay/${'A1b2'.repeat(16)}xy`
  const { path, side } = qrCode(address)
  const { modules } = QRCode.create(address, { errorCorrectionLevel: 'L', maskPattern: 3 })
  assert.equal(side, modules.size + 8)
  const drawn = new Set<string>()
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let i = 0; i < Number(length); i += 1) drawn.add(`${Number(x) + i} ${y}`)
  const dark = new Set<string>()
  for (let y = 0; y < modules.size; y += 1)
    for (let x = 0; x < modules.size; x += 1) if (modules.get(y, x)) dark.add(`${x + 4} ${y + 4}`)
  assert.deepEqual(drawn, dark)
  assert.equal(qrCode(address), qrCode(address), 'the code is cached')
})
