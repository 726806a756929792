import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { nameIn, type Provider } from '@pesewa/connector-kit'
import { findCountry } from '@pesewa/values'
import { loadCatalogue } from './catalogue.ts'
import { CatalogueError } from './catalogue-error.ts'
import { drawInitials } from './initials.ts'
import { protocolNames, protocols } from './protocols.ts'

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
const file = join(folder, 'providers.json')
after(() => rmSync(folder, { recursive: true }))

test('the shipped catalogue has all providers of every rail', () => {
  const shipped = loadCatalogue()
  for (const { name, providers, reaches = {} } of protocols) {
    assert(providers.length > 0, name)
    assert.equal(shipped.all().filter(({ protocol }) => protocol === name).length, providers.length)
    for (const id of Object.keys(reaches)) assert(shipped.find(id), `${name} reaches ${id}`)
  }
})

test('a shipped provider uses its country’s own currency first', () => {
  for (const { country, currencies } of loadCatalogue().all()) {
    const { currency, supportedCurrencies } = findCountry(country)!
    assert.equal(currencies[0], currency.code)
    if (currencies.length < 5) assert(currencies.every((each) => supportedCurrencies.includes(each)))
  }
})

test('every shipped account can be paid to and from', () => {
  const accounts = loadCatalogue()
    .all()
    .filter(({ type }) => type !== 'card')
  assert(accounts.every(({ status }) => status.active))
  const idsOf = (without: (provider: Provider) => boolean) =>
    accounts.filter(without).map(({ providerId }) => providerId)
  assert.deepEqual(
    idsOf(({ featureSet }) => !featureSet.payment.canPayFrom),
    [],
  )
  assert.deepEqual(
    idsOf(({ featureSet }) => !featureSet.payout.canPayTo),
    [],
  )
})

test('every provider reached through pawaPay has a pawaPay name', () => {
  const names = loadCatalogue()
    .all()
    .flatMap((provider) => nameIn('pawapay', provider) ?? [])
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[A-Z]+(_[A-Z]+)*_[A-Z]{3}$/)
})

test('providers are listed by type and country, and found by their exact id', () => {
  const catalogue = loadCatalogue()
  const ids = (providers: Provider[]) => providers.map(({ providerId }) => providerId)
  assert.deepEqual(ids(catalogue.list('momo', 'SL')), ['m17', 'm18'])
  assert.deepEqual(ids(catalogue.list('bank', 'GH')), [])
  assert.deepEqual(ids(catalogue.list('momo', 'sl')), [])
  assert.equal(catalogue.find('slb001')?.name, 'Sierra Leone Commercial Bank')
  for (const id of ['M17', '', '__proto__', 'nope']) assert.equal(catalogue.find(id), undefined)
})

test('changing a returned list does not change the catalogue', () => {
  const catalogue = loadCatalogue()
  catalogue.list('bank').length = 0
  assert.equal(catalogue.list('bank').length, loadCatalogue().list('bank').length)
})

test('an operator’s file adds providers in sorted order', () => {
  write({ providers: [entry({ providerId: 'm16', name: 'QMoney' })] })
  const momos = loadCatalogue(file).list('momo', 'SL')
  assert.deepEqual(
    momos.map(({ providerId }) => providerId),
    ['m16', 'm17', 'm18'],
  )
})

test('an operator’s entry replaces a shipped one entirely', () => {
  write({ providers: [entry({ providerId: 'm17', name: 'Orange', status: { active: false } })] })
  const catalogue = loadCatalogue(file)
  assert.deepEqual(
    catalogue.find('m17'),
    entry({ providerId: 'm17', name: 'Orange', status: { active: false } }),
  )
  assert.equal(catalogue.list('momo', 'SL').length, 2)
  assert.equal(loadCatalogue().find('m17')?.name, 'Orange Money')
})

test('a file without providers changes nothing', () => {
  write({ providers: [] })
  assert.deepEqual(loadCatalogue(file).list('momo'), loadCatalogue().list('momo'))
})

test('an error names the file, the entry and the field on one line', () => {
  const { name: _, ...nameless } = entry({})
  const { payout, payment } = entry({}).featureSet
  const issues: [unknown, string][] = [
    [nameless, 'name is missing'],
    [{ ...entry({}), colour: 'red' }, 'colour is not a known field'],
    [{ ...entry({}), 'a/b\n~c': 1 }, 'a/b ~c is not a known field'],
    [{ ...entry({}), type: 'cash' }, 'type must be one of momo, bank, wallet, card'],
    [{ ...entry({}), protocol: 'smtp' }, `protocol must be one of ${protocolNames.join(', ')}`],
    [{ ...entry({}), name: '' }, 'name must not have fewer than 1 characters'],
    [{ ...entry({}), status: { active: 'yes' } }, 'status.active must be boolean'],
    [{ ...entry({}), featureSet: { payout, payment } }, 'featureSet.kycVerification is missing'],
    [entry({ country: 'FR' }), 'country "FR" is not supported'],
    [entry({ country: 'sl' }), 'country "sl" is not supported'],
    [entry({ currencies: ['SLE', 'SLL'] }), 'currencies[1] "SLL" is not supported'],
    [entry({ currencies: [] }), 'currencies must not have fewer than 1 items'],
    [entry({ createTime: 'yesterday' }), 'createTime must match format "date-time"'],
    [entry({ updateTime: '2026-02-30T00:00:00Z' }), 'updateTime must match format "date-time"'],
    [entry({ updateTime: '2026-11-21T00:00:00+01:00' }), 'updateTime must match pattern "Z$"'],
  ]
  for (const [faulty, expected] of issues) {
    write({ providers: [entry({ providerId: 'fine' }), faulty] })
    assert.equal(errorOf(file), `${file}: providers[1] ("m99"): ${expected}`)
  }
})

test('an id that cannot be part of a path is refused', () => {
  for (const providerId of ['', 'M17', 'a b', 'a/b', '-a', 'a'.repeat(65), '__proto__', 'm17\n']) {
    write({ providers: [entry({ providerId })] })
    assert.match(errorOf(file), /^[^\n]*: providers\[0\] \(".*"\): providerId must match pattern [^\n]*$/)
  }
})

test('a duplicate id in one file is refused', () => {
  write({ providers: [entry({}), entry({ name: 'Another' })] })
  assert.equal(errorOf(file), `${file}: providers[1] ("m99"): providerId is used more than once in this file`)
})

test('a file with other content is refused on one line', () => {
  const issues: [string, string][] = [
    ['[]', 'must be object'],
    ['{"providers": {}}', 'providers must be array'],
    ['{"providers": [], "banks": []}', 'banks is not a known field'],
    ['{"providers": ["m17"]}', 'providers[0]: must be object'],
    ['{"providers": [null]}', 'providers[0]: must be object'],
  ]
  for (const [content, expected] of issues) {
    writeFileSync(file, content)
    assert.equal(errorOf(file), `${file}: ${expected}`)
  }
  for (const content of ['', '{\n"providers": [\n],\n}', 'providers']) {
    writeFileSync(file, content)
    assert.match(errorOf(file), /^[^\n]*providers\.json[^\n]*JSON[^\n]*$/)
  }
})

test('a missing file is an error, not an empty catalogue', () => {
  assert.match(errorOf(join(folder, 'none.json')), /none\.json: ENOENT/)
})

function entry(changes: Partial<Provider>): Provider {
  return {
    providerId: 'm99',
    type: 'momo',
    name: 'Money',
    country: 'SL',
    currencies: ['SLE'],
    protocol: 'mtn-momo',
    status: { active: true },
    featureSet: {
      payout: { canPayTo: true, schemes: [], metadata: {} },
      payment: { canPayFrom: false, schemes: [], metadata: { note: 'soon' } },
      kycVerification: { canVerifyAccount: false, metadata: {} },
    },
    createTime: '2026-11-22T00:00:00Z',
    updateTime: '2026-11-22T00:00:00Z',
    ...changes,
  }
}

function write(content: unknown) {
  writeFileSync(file, JSON.stringify(content))
}

function errorOf(path: string): string {
  try {
    loadCatalogue(path)
  } catch (error) {
    assert(error instanceof CatalogueError, String(error))
    return error.message
  }
  assert.fail(`${path} was accepted`)
}

/** Creates the parts of a PNG that the check reads: the signature, and a header with width and height. */
function png(width: number, height: number, bytes = 64): Buffer {
  const image = Buffer.alloc(bytes)
  image.write('\x89PNG\r\n\x1a\n', 'latin1')
  image.write('IHDR', 12, 'latin1')
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}

test('an operator can change the appearance of any provider; a logo’s URL contains the hash of its content', () => {
  writeFileSync(join(folder, 'orange.png'), png(64, 64))
  const tiles = {
    m17: { color: '#123456', logo: 'orange.png' },
    m18: { color: '#abc' },
    dw001: { logo: 'orange.png' },
    visa: { logo: 'orange.png' },
  }
  writeFileSync(file, JSON.stringify({ tiles }))
  const catalogue = loadCatalogue(file)
  assert.deepEqual(
    ['m17', 'm18', 'dw001'].map((id) => catalogue.find(id)?.color),
    ['#123456', '#abc', loadCatalogue().find('dw001')?.color],
  )
  const { path: address, image } = catalogue.logoOf('m17') ?? {}
  assert.match(address ?? '', /^\/provider-logos\/[0-9a-f]{16}\.png$/)
  assert.deepEqual(image, png(64, 64))
  assert.equal(catalogue.logoOf('dw001')?.path, address)
  assert.equal(catalogue.logoOf('visa')?.path, address)
  assert.equal(catalogue.logoOf('m18')?.image.toString(), drawInitials('Afrimoney', '#abc').toString())
  writeFileSync(join(folder, 'orange.png'), png(65, 64))
  assert.notEqual(loadCatalogue(file).logoOf('m17')?.path, address)
})

test('a logo that is not a small PNG is refused, whatever its name', () => {
  const issues: [tiles: object, fault: RegExp, content?: Buffer | string][] = [
    [
      { m17: { logo: 'logo.png' } },
      /tiles\.m17\.logo must be a PNG/,
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    ],
    [{ m17: { logo: 'logo.png' } }, /must be a PNG of at most 32 KiB and 512 × 512 pixels/, png(513, 1)],
    [{ m17: { logo: 'logo.png' } }, /must be a PNG/, png(0, 64)],
    [{ m17: { logo: 'logo.png' } }, /must be a PNG/, png(64, 64, 32 * 1024 + 1)],
    [{ m17: { logo: 'logo.png' } }, /must be a PNG/, ''],
    [{ m17: { logo: '.' } }, /must be a PNG/],
    [{ m17: { logo: '/dev/zero' } }, /must be a PNG/],
    [{ m17: { logo: 'missing.png' } }, /tiles\.m17\.logo cannot be read/],
    [{ nobody: { color: '#123456' } }, /tiles\.nobody: no provider or card network has this id/],
    [{ m17: { color: 'red' } }, /tiles\.m17\.color/],
    [{ m17: { color: '#12345;}' } }, /tiles\.m17\.color/],
    [{ m17: { colour: '#123456' } }, /tiles\.m17/],
  ]
  for (const [tiles, fault, content] of issues) {
    if (content !== undefined) writeFileSync(join(folder, 'logo.png'), content)
    writeFileSync(file, JSON.stringify({ tiles }))
    assert.throws(
      () => loadCatalogue(file),
      (error) => {
        assert(error instanceof CatalogueError)
        assert.match(error.message, fault)
        assert.doesNotMatch(error.message, /\n/)
        return true
      },
    )
  }
})
