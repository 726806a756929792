import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findCountry } from './countries.ts'
import { networkOf } from './networks.ts'
import { numberingPlans } from './numbering-plans.ts'
import { countryOfPhone, parsePhone } from './phones.ts'

const networks = numberingPlans.flatMap(({ country, networks }) =>
  networks.map((network) => ({ country, ...network })),
)

test('the first digits of a Sierra Leone number identify its network with certainty', () => {
  for (const [number, name] of [
    ['+23276123456', 'Orange'],
    ['+23277123456', 'Africell'],
    ['+23288123456', 'Africell'],
    ['+23231123456', 'QCell'],
  ] as const) {
    const network = networkOf(number)
    assert.deepEqual([network?.name, network?.country, network?.isCertain], [name, 'SL', true], number)
  }
})

test('an unassigned number has no network, and the network of a portable number is uncertain', () => {
  for (const number of ['+23200000001', '+23222123456', '+4915112345678', '+80012345678', '', '+232'])
    assert.equal(networkOf(number), undefined, number)
  for (const { portability, networks } of numberingPlans)
    for (const { prefixes } of networks)
      for (const prefix of prefixes)
        assert.equal(networkOf(`${prefix}000000`)?.isCertain, portability === 'none', prefix)
})

test('the longest matching prefix wins', () => {
  const longest = (number: string) =>
    networks
      .flatMap(({ name, prefixes }) => prefixes.map((prefix) => ({ name, prefix })))
      .filter(({ prefix }) => number.startsWith(prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length)[0]?.name
  const number = fc
    .tuple(
      fc.constantFrom(...networks.flatMap(({ prefixes }) => prefixes)),
      fc.stringMatching(/^[0-9]{4,7}$/),
    )
    .map(([prefix, digits]) => prefix + digits)
  fc.assert(fc.property(number, (each) => assert.equal(networkOf(each)?.name, longest(each))))
})

test('each prefix and network code belongs to one network in a supported country that has such numbers', () => {
  const prefixes = networks.flatMap(({ prefixes }) => prefixes)
  const codes = networks.flatMap(({ codes }) => codes)
  assert.equal(new Set(prefixes).size, prefixes.length)
  assert.equal(new Set(codes).size, codes.length)
  for (const { country, prefixes } of networks) {
    assert(findCountry(country), country)
    for (const prefix of prefixes) {
      const numbers = Array.from({ length: 10 }, (_, i) => prefix + '123456789'.slice(0, i))
      const isThere = (number: string) =>
        parsePhone(number, country, 'live') === number && countryOfPhone(number) === country
      assert(numbers.some(isThere), `${prefix} of ${country}`)
    }
  }
})
