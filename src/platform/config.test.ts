import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError, readSettings } from './config.ts'

/** What is said of these settings, a line a fault. */
function faultsOf(given: Record<string, string>): string[] {
  try {
    readSettings(given)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
}

describe('how long events are kept', () => {
  test('is thirty days, and eight at least', () => {
    assert.equal(readSettings({}).eventRetentionMs, 30 * 86_400_000)
    assert.deepEqual(faultsOf({ EVENT_RETENTION: '8d' }), [])
    assert.deepEqual(faultsOf({ EVENT_RETENTION: '7d' }), [
      'EVENT_RETENTION must be a duration (like 7d) of at least 8d',
    ])
  })

  test('is longer than keys are, for events hold what was answered', () => {
    assert.deepEqual(faultsOf({ IDEMPOTENCY_RETENTION: '29d' }), [])
    for (const given of [
      { IDEMPOTENCY_RETENTION: '30d' },
      { IDEMPOTENCY_RETENTION: '8d', EVENT_RETENTION: '8d23h' },
    ] as Record<string, string>[])
      assert.match(faultsOf(given).join(), /^EVENT_RETENTION must be at least a day longer than/)
  })
})
