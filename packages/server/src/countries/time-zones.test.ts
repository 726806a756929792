import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries } from '@pesewa/values'
import { timeZoneOf } from './time-zones.ts'

test('every supported country has a time zone, except Congo, which has two', () => {
  assert.deepEqual(
    countries.filter(({ code }) => timeZoneOf(code) === 'UTC').map(({ code }) => code),
    ['CD'],
  )
  assert.deepEqual(['SL', 'NG', 'KE'].map(timeZoneOf), ['Africa/Freetown', 'Africa/Lagos', 'Africa/Nairobi'])
  assert.equal(timeZoneOf('ZZ'), 'UTC')
})
