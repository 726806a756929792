import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  durationAtLeast,
  identityProvider,
  networks,
  oneOf,
  optional,
  postgresUrl,
  processes,
  secret,
  sender,
  smtpServer,
  text,
  url,
  whole,
} from './setting-values.ts'

type Parse = (text: string | undefined) => unknown

const mode = oneOf('off', 'off', 'on')
const limit = whole(10, 1, 100)
const life = durationAtLeast('10m', '1s')
const from = sender('Pesewa <no-reply@shop.example>')

/** The text of a setting (`undefined` if it is unset), and its value. */
const values: [kind: string, parse: Parse, text: string | undefined, value: unknown][] = [
  ['text', text('here'), undefined, 'here'],
  ['text', text('here'), '', ''],
  ['optional', optional, undefined, undefined],
  ['optional', optional, 'x', 'x'],
  ['whole', limit, undefined, 10],
  ['whole', limit, '1', 1],
  ['whole', limit, '100', 100],
  ['whole', limit, '007', 7],
  ['processes', processes, undefined, undefined],
  ['processes', processes, '1', 1],
  ['processes', processes, '64', 64],
  ['processes', processes, 'auto', 'auto'],
  ['oneOf', mode, undefined, 'off'],
  ['oneOf', mode, 'on', 'on'],
  ['url', url, undefined, undefined],
  ['url', url, 'https://pay.example//', 'https://pay.example'],
  ['url', url, 'http://10.0.0.1:8080/pay', 'http://10.0.0.1:8080/pay'],
  ['identityProvider', identityProvider, undefined, undefined],
  ['identityProvider', identityProvider, 'https://id.example/realms/a/', 'https://id.example/realms/a/'],
  ['identityProvider', identityProvider, 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['postgresUrl', postgresUrl, undefined, undefined],
  ['postgresUrl', postgresUrl, 'postgres://localhost/pesewa', 'postgres://localhost/pesewa'],
  ['postgresUrl', postgresUrl, 'postgresql:///pesewa', 'postgresql:///pesewa'],
  ['smtpServer', smtpServer, undefined, undefined],
  ['smtpServer', smtpServer, 'smtps://user:word@mail.example:465', 'smtps://user:word@mail.example:465'],
  ['sender', from, undefined, 'Pesewa <no-reply@shop.example>'],
  ['sender', from, 'no-reply@shop.example', 'no-reply@shop.example'],
  ['sender', from, 'Café Bo <a@b>', 'Café Bo <a@b>'],
  ['networks', networks, undefined, []],
  ['networks', networks, ' , ', []],
  ['networks', networks, '10.0.0.0/8, 203.0.113.7,::1', ['10.0.0.0/8', '203.0.113.7/32', '::1/128']],
  ['durationAtLeast', life, undefined, 600_000],
  ['durationAtLeast', life, '1s', 1_000],
  ['durationAtLeast', life, '7d', 7 * 86_400_000],
  ['secret', secret, undefined, undefined],
  ['secret', secret, 'x'.repeat(32), 'x'.repeat(32)],
]

for (const [kind, parse, text, value] of values)
  test(`${kind}: ${JSON.stringify(text)} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(parse(text), value)
  })

const issues: [kind: string, parse: Parse, texts: string[], message: RegExp][] = [
  ['whole', limit, ['', '0', '101', '-1', '1.5', '1e1', '0x5', ' 5', '٥'], /from 1 to 100/],
  ['oneOf', mode, ['', 'ON', 'yes'], /must be one of off, on$/],
  ['processes', processes, ['', '0', '65', '-1', '1.5', 'two', 'AUTO', ' 2'], /from 1 to 64, or auto$/],
  ['url', url, ['', 'pay.example', 'ftp://pay.example', 'javascript:alert(1)'], /http:\/\/ or https:\/\//],
  [
    'identityProvider',
    identityProvider,
    [
      '',
      'id.example',
      'http://id.example',
      'https://id.example?a=b',
      'https://u:p@id.example',
      'http://127.0.0.1.x',
    ],
    /begins with https:/,
  ],
  ['postgresUrl', postgresUrl, ['', 'mysql://localhost', 'localhost:5432'], /postgres:\/\//],
  [
    'smtpServer',
    smtpServer,
    ['', 'mail.example', 'smtp://', 'smtp:///x', 'http://mail.example'],
    /smtp:\/\//,
  ],
  [
    'sender',
    from,
    ['', 'nobody', 'a@b, c@d', 'A <a@b> B', 'a@b\r\nBcc: c@d', 'A\n<a@b>'],
    /one email address/,
  ],
  [
    'networks',
    networks,
    ['10.0.0.0/33', '10.0.0.0/8 11.0.0.0/8', 'localhost', '::1/129'],
    /not a valid address or network/,
  ],
  ['durationAtLeast', life, ['', '0s', '999', '-1h', '1 hour'], /duration, such as 30d, of at least 1s/],
  ['secret', secret, ['', 'x'.repeat(31)], /at least 32 characters/],
]

for (const [kind, parse, texts, message] of issues)
  for (const text of texts)
    test(`${kind}: ${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parse(text), message)
    })
