import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRegistered } from './callback-address.ts'

for (const [address, expected] of [
  ['https://pay.example.com/callbacks/x', true],
  ['http://127.0.0.1:9000/rail-test/x', true],
  ['http://127.0.0.1:9000/callbacks/x', false],
  ['http://127.0.0.1:9000/other/../rail-test', false],
  ['http://127.0.0.1:9000/rail-test/../admin', false],
  ['http://127.0.0.1.example.com/rail-test/x', false],
  ['http://10.0.0.1/rail-test/x', false],
  ['https://pay.example.com.evil.example/callbacks/x', false],
  ['not a URL', false],
] as const)
  test(`a simulated rail ${expected ? 'reports' : 'does not report'} to ${address}`, () =>
    assert.equal(isRegistered(address, 'https://pay.example.com'), expected))
