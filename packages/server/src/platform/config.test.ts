import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSettings } from '../slices.ts'
import { ConfigError } from './config.ts'

/** Returns the issues with these settings, one per line. */
function issuesOf(given: Record<string, string>): string[] {
  try {
    readSettings(given)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
}

describe('event retention', () => {
  test('defaults to thirty days and is at least eight', () => {
    assert.equal(readSettings({}).eventRetentionMs, 30 * 86_400_000)
    assert.deepEqual(issuesOf({ EVENT_RETENTION: '8d' }), [])
    assert.deepEqual(issuesOf({ EVENT_RETENTION: '7d' }), [
      'EVENT_RETENTION must be a duration, such as 30d, of at least 8d',
    ])
  })

  test('is longer than that of idempotency keys, because events contain the responses', () => {
    assert.deepEqual(issuesOf({ IDEMPOTENCY_RETENTION: '29d' }), [])
    for (const given of [
      { IDEMPOTENCY_RETENTION: '30d' },
      { IDEMPOTENCY_RETENTION: '8d', EVENT_RETENTION: '8d23h' },
    ] as Record<string, string>[])
      assert.match(issuesOf(given).join(), /^EVENT_RETENTION must be at least one day longer than/)
  })
})

describe('mail', () => {
  test('has one sender address', () => {
    for (const good of ['Pesewa <pay@shop.example>', '<pay@shop.example>', 'pay@shop.example'])
      assert.equal(readSettings({ MAIL_FROM: good }).mailFrom, good)
    for (const bad of ['Pesewa', 'a@shop.example, b@shop.example', 'A <a@x> B <b@x>', 'A\r\nBcc: x <a@x>'])
      assert.match(issuesOf({ MAIL_FROM: bad }).join(), /^MAIL_FROM must be one email address/)
  })

  test('an invalid server address is reported without its password', () => {
    for (const good of ['smtp://localhost:2525', 'smtps://user:p%40ss@mail.example'])
      assert.equal(readSettings({ SMTP_URL: good }).smtpUrl, good)
    for (const bad of ['mail.example', 'http://planted@mail.example', 'smtp://', 'smtp://planted@:x'])
      assert.deepEqual(issuesOf({ SMTP_URL: bad }), [
        'SMTP_URL must be a URL that begins with smtp:// or smtps://',
      ])
  })
})

test('the short code is one or more groups of digits, as dialled', () => {
  assert.equal(readSettings({}).ussdShortCode, '715')
  for (const good of ['12', '384*715', '384*70', '123456*12*999999'])
    assert.equal(readSettings({ USSD_SHORT_CODE: good }).ussdShortCode, good)
  for (const bad of ['7', '1234567', '*715', '715*', '715#', '1*22', '11*22*33*44', '7 15', '٧١٥'])
    assert.match(issuesOf({ USSD_SHORT_CODE: bad }).join(), /^USSD_SHORT_CODE must be 2 to 6 digits/, bad)
})
