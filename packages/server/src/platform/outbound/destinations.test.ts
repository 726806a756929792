import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { NoAnswer, send } from '@pesewa/connector-kit'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { listen, type Receiver } from '../../../../../test/support/receiver.ts'
import { webhookNetworks } from '../../events/settings.ts'
import { destinationError, destinationsWithin } from './destinations.ts'
import { createGuardedPeer, type Lookup } from './guarded-peer.ts'

const form = 'must be a URL that begins with http:// or https://'
const isPublic = 'must be a public address'
const credentials = 'must not contain credentials'
const port = 'must use port 80, 443 or 1024 to 65535'

const loopback = ['127.0.0.0/8', '::1/128']

/** In these URLs, PORT is the port on which 127.0.0.1 and ::1 listen. */
const tricks: [string, string][] = [
  ['http://127.0.0.1:PORT/', isPublic],
  ['http://127.1:PORT/', isPublic],
  ['http://127.0.1:PORT/', isPublic],
  ['http://2130706433:PORT/', isPublic],
  ['http://017700000001:PORT/', isPublic],
  ['http://0x7f000001:PORT/', isPublic],
  ['http://0x7f.1:PORT/', isPublic],
  ['http://0177.0.0.01:PORT/', isPublic],
  ['http://0x7f.0x0.0x0.0x1:PORT/', isPublic],
  ['http://127.0.0.1.:PORT/', isPublic],
  ['http://127.255.255.254:PORT/', isPublic],
  ['http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:PORT/', isPublic],
  ['http://①②⑦.⓪.⓪.①:PORT/', isPublic],
  ['http://127。0。0。1:PORT/', isPublic],
  ['http://%31%32%37.0.0.1:PORT/', isPublic],
  ['http://127.0.0.\u00ad1:PORT/', isPublic],
  ['http:127.0.0.1:PORT/', isPublic],
  ['http:///127.0.0.1:PORT/', isPublic],
  ['http://0:PORT/', isPublic],
  ['http://0.0.0.0:PORT/', isPublic],
  ['http://0.1.2.3:PORT/', isPublic],
  ['http://localhost:PORT/', isPublic],
  ['http://LocalHost.:PORT/', isPublic],
  ['http://api.localhost:PORT/', isPublic],
  ['http://public@127.0.0.1:PORT/', credentials],
  ['http://8.8.8.8:80@127.0.0.1:PORT/', credentials],
  ['http://:secret@127.0.0.1:PORT/', credentials],
  ['http://public.example\\@127.0.0.1:PORT/', form],
  ['http://127.0.0.1:PORT\\@public.example/', form],
  ['http:\\\\127.0.0.1:PORT/', form],
  ['http://127.0\t.0.1:PORT/', form],
  ['http://127.0.0\r\n.1:PORT/', form],
  [' http://127.0.0.1:PORT/', form],

  ['http://[::1]:PORT/', isPublic],
  ['http://[0:0:0:0:0:0:0:1]:PORT/', isPublic],
  ['http://[::]:PORT/', isPublic],
  ['http://[::ffff:127.0.0.1]:PORT/', isPublic],
  ['http://[::ffff:7f00:1]:PORT/', isPublic],
  ['http://[0:0:0:0:0:ffff:7f00:0001]:PORT/', isPublic],
  ['http://[::ffff:169.254.169.254]/', isPublic],
  ['http://[::127.0.0.1]:PORT/', isPublic],
  ['http://[::7f00:1]:PORT/', isPublic],
  ['http://[::8.8.8.8]/', isPublic],
  ['http://[::ffff:0:127.0.0.1]:PORT/', isPublic],
  ['http://[2002:7f00:1::]:PORT/', isPublic],
  ['http://[64:ff9b::127.0.0.1]:PORT/', isPublic],
  ['http://[64:ff9b::8.8.8.8]/', isPublic],
  ['http://[64:ff9b:1::7f00:1]:PORT/', isPublic],
  ['http://[2001:0:7f00:1::80ff:fffe]:PORT/', isPublic],
  ['http://[fe80::1]:PORT/', isPublic],
  ['http://[fe80::1%25lo]:PORT/', form],
  ['http://[::1%lo]:PORT/', form],
  ['http://[fec0::1]:PORT/', isPublic],
  ['http://[fd00:ec2::254]/', isPublic],
  ['http://[ff02::1]:PORT/', isPublic],
  ['http://[100::1]:PORT/', isPublic],
  ['http://[4000::1]:PORT/', isPublic],

  ['http://10.0.0.1/', isPublic],
  ['http://172.31.255.255/', isPublic],
  ['http://192.168.1.1/', isPublic],
  ['http://100.100.100.200/latest/meta-data/', isPublic],
  ['http://169.254.169.254/latest/meta-data/', isPublic],
  ['http://2852039166/latest/meta-data/', isPublic],
  ['http://168.63.129.16/', isPublic],
  ['http://192.0.0.192/', isPublic],
  ['http://198.18.0.1/', isPublic],
  ['http://203.0.113.1/', isPublic],
  ['http://224.0.0.1/', isPublic],
  ['http://255.255.255.255/', isPublic],

  ['http://8.8.8.8:22/', port],
  ['http://8.8.8.8:25/', port],
  ['http://8.8.8.8:0/', port],
  ['http://8.8.8.8:81/', port],
  ['http://8.8.8.8:1023/', port],
  ['http://[2606:4700:4700::1111]:22/', port],
  ['https://public.example:25/', port],

  ['ftp://8.8.8.8/', form],
  ['file:///etc/passwd', form],
  ['gopher://127.0.0.1:PORT/', form],
  ['unix:/run/postgresql/.s.PGSQL.5432', form],
  ['//127.0.0.1:PORT/', form],
  ['127.0.0.1:PORT', form],
  ['http://256.256.256.256/', form],
  ['http://8.8.8.8:65536/', form],
  ['http://', form],
  ['', form],
]

describe('forbidden destinations', () => {
  const listeners: Receiver[] = []
  const peer = createGuardedPeer({ allowedNetworks: [], maxConnections: 10, lookup: onlyLocalhost })

  before(async () => {
    const first = await listen()
    listeners.push(first)
    if (hasIPv6()) listeners.push(await listen(undefined, { host: '::1', port: first.port }))
  })
  after(async () => {
    await peer.close()
    await Promise.all(listeners.map((listener) => listener.close()))
  })

  for (const [trick, fault] of tricks)
    test(`${JSON.stringify(trick)} ${fault}, and is not dialled`, async () => {
      const url = trick.replace('PORT', String(listeners[0]!.port))
      for (const httpsOnly of [false, true]) {
        const error = destinationError(url, { allowedNetworks: [], httpsOnly })
        assert.ok(error === fault || (httpsOnly && error === 'must use https'), error)
      }
      await assert.rejects(send(peer, { method: 'POST', url, timeoutMs: 5_000 }), (error) => {
        assert.ok(error instanceof NoAnswer)
        // Any other message would reveal that a connection was attempted.
        assert.match(error.message, /^(address not allowed|host name not found|no response)$/)
        return true
      })
      assert.deepEqual(
        listeners.map(({ connections }) => connections),
        listeners.map(() => 0),
      )
    })
})

// IANA's special-purpose address registries, and other addresses that are not public unicast.
const special =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 168.63.129.16/32 ::/128 ::1/128 ::/96 ::ffff:0:0/96
  ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:2::/48 2001:4:112::/48
  2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 4000::/3 8000::/2
  fc00::/7 fe80::/10 fec0::/10 ff00::/8`.split(/\s+/)

test('neither the first nor the last address of a special network may be dialled', () => {
  const { mayDial } = destinationsWithin([])
  const dialled = special
    .flatMap((network) => [
      family(network).networkAddressFromCIDR(network),
      family(network).broadcastAddressFromCIDR(network),
    ])
    .map(String)
    // A documented hole of ours would be named here.
    .filter((address) => mayDial(address, 443))
  assert.deepEqual(dialled, [])
})

test('addresses between them may be dialled, on web ports', () => {
  const { mayDial } = destinationsWithin([])
  const addresses =
    `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0 223.255.255.255
    2001:200:: 2001:db7::1 2003::1 2606:4700:4700::1111 2a00:1450:4001::8b ::ffff:8.8.8.8`.split(/\s+/)
  for (const address of addresses)
    for (const [number, expected] of [
      [80, true],
      [443, true],
      [1024, true],
      [65_535, true],
      [0, false],
      [22, false],
      [1023, false],
      [65_536, false],
      [Number.NaN, false],
    ] as const)
      assert.equal(mayDial(address, number), expected, `${address} ${number}`)
})

test('text that is not an IP address is refused', () => {
  const { mayDial, isInside } = destinationsWithin(['0.0.0.0/0', '::/0'])
  for (const text of [
    '',
    'example.com',
    '127.1',
    '010.0.0.1',
    '2130706433',
    '8.8.8.8/32',
    '[::1]',
    'fe80::1%lo',
  ])
    assert.deepEqual([mayDial(text, 443), isInside(text)], [false, false], text)
})

test('an IPv4-mapped IPv6 address is checked as IPv4, and other embeddings are refused', () => {
  const { mayDial } = destinationsWithin([])
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const hex = ipaddr
        .parse(address)
        .toByteArray()
        .map((byte) => byte.toString(16).padStart(2, '0'))
      const words = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
      for (const spelled of [`::ffff:${address}`, `::ffff:${words}`, `0:0:0:0:0:FFFF:${words}`])
        assert.equal(mayDial(spelled, 443), mayDial(address, 443))
      for (const spelled of [
        `::${address}`,
        `::${words}`,
        `2002:${words}::1`,
        `64:ff9b::${words}`,
        `2001:0:${words}::`,
      ])
        assert.equal(mayDial(spelled, 443), false)
    }),
  )
})

describe('a valid URL', () => {
  const accepted = [
    'https://merchant.example/hooks?shop=1#top',
    'https://merchant.example:8443/',
    'https://MÜLLER.example/',
    'https://localhost.example/',
    'https://8.8.8.8/',
    'https://134744072:6379/',
    'https://[2606:4700:4700::1111]:1024/',
    'https://[::ffff:8.8.8.8]:65535/',
  ]
  for (const url of accepted)
    test(`is ${url}`, () => {
      assert.equal(destinationError(url, { allowedNetworks: [], httpsOnly: true }), undefined)
      assert.equal(
        destinationError(url.replace('https', 'http'), { allowedNetworks: [], httpsOnly: false }),
        undefined,
      )
    })

  test('uses https if required, unless it is an address that the operator allows', () => {
    const errorOf = (url: string) => destinationError(url, { allowedNetworks: loopback, httpsOnly: true })
    assert.equal(errorOf('http://merchant.example/'), 'must use https')
    assert.equal(errorOf('http://8.8.8.8/'), 'must use https')
    assert.equal(errorOf('http://localhost/'), 'must use https')
    assert.equal(errorOf('https://localhost/'), undefined)
    for (const url of [
      'http://127.0.0.1/',
      'http://127.1:22/',
      'http://[::1]:25/',
      'http://[::ffff:7f00:1]/',
    ])
      assert.equal(errorOf(url), undefined, url)
  })

  test('may be in an allowed network, on any port', () => {
    const errorOf = (url: string, allowedNetworks = loopback) =>
      destinationError(url, { allowedNetworks, httpsOnly: false })
    for (const url of [
      'http://127.0.0.1:22/',
      'http://localhost:25/',
      'http://localhost.:81/',
      'http://[::1]:9/',
    ])
      assert.equal(errorOf(url), undefined, url)
    assert.equal(errorOf('http://192.168.1.1/'), isPublic)
    assert.equal(errorOf('http://8.8.8.8:25/'), port)
    assert.equal(errorOf('http://localhost:8080/', ['127.0.0.1/32']), undefined)
    // Names are resolved when they are dialled.
    assert.equal(errorOf('http://shop.internal:81/'), undefined)
  })
})

test('a trial on the local machine may reach local listeners and nothing else', () => {
  const url = 'postgresql://db.example/pesewa'
  const none: string[] = []
  assert.deepEqual(
    webhookNetworks({ webhookAllowedNetworks: none, databaseUrl: undefined }, 'test'),
    loopback,
  )
  assert.deepEqual(webhookNetworks({ webhookAllowedNetworks: none, databaseUrl: undefined }, 'live'), [])
  assert.deepEqual(webhookNetworks({ webhookAllowedNetworks: none, databaseUrl: url }, 'test'), [])
  for (const environment of ['test', 'live'] as const)
    assert.deepEqual(
      webhookNetworks({ webhookAllowedNetworks: ['10.0.0.0/8'], databaseUrl: undefined }, environment),
      ['10.0.0.0/8'],
    )
})

const family = (network: string) => (network.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4)

const hasIPv6 = () =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

/** Looks up only localhost, because any other name would be looked up on the network. */
function onlyLocalhost(...[name, options, done]: Parameters<Lookup>): void {
  if (/(^|\.)localhost\.?$/i.test(name)) lookup(name, options, done)
  else done(Object.assign(new Error(), { code: 'ENOTFOUND' }), [])
}
