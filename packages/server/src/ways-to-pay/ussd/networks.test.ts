import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '@pesewa/values'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { openDialling } from './networks.ts'

const provider = (id: string) => must(loadCatalogue().find(id), 'provider of the catalogue')
const closed = { ussdSecret: undefined, ussdNetworks: [] }

test('in live, payers can dial only if the operator has connected an aggregator', () => {
  const orange = provider('m17')
  assert.equal(openDialling(closed).isPossible('live', orange), false)
  assert.equal(openDialling({ ...closed, ussdSecret: 'x'.repeat(32) }).isPossible('live', orange), true)
  assert.equal(openDialling({ ...closed, ussdNetworks: ['203.0.113.0/24'] }).isPossible('live', orange), true)
  assert.equal(openDialling(closed).isPossible('test', orange), true)
})

test('a provider with a page of its own, or without phones, cannot be used in the menu', () => {
  const { isPossible } = openDialling(closed)
  for (const id of ['card', 'slb001', 'dw001']) assert.equal(isPossible('test', provider(id)), false)
  const redirecting = loadCatalogue()
    .list('momo')
    .filter(({ featureSet }) => featureSet.payment.schemes.includes('redirect'))
  assert.ok(redirecting.length > 0)
  for (const each of redirecting) assert.equal(isPossible('test', each), false)
})
