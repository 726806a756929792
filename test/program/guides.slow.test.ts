import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { folderWithSdk, guides, languages, openReader, type Reader, runnable } from '../support/guides.ts'
import { samplesIn, scripts } from '../support/samples.ts'

// A reader pastes all samples of a guide, in order, into the service of `npm start`.

const run = promisify(execFile)
const tsc = path.resolve(import.meta.dirname, '../../node_modules/.bin/tsc')

let reader: Reader
before(async () => {
  reader = await openReader()
})
after(() => reader.close())

// Runs several at a time, each with its own shop, because they mostly wait for payments.
describe('each sample works as described', { concurrency: true }, () => {
  for (const { language, name, skip } of languages)
    describe(name, { skip, concurrency: 2 }, () => {
      for (const page of guides) {
        const samples = runnable(page, language)
        if (samples.length > 0)
          test(`${page.path} with ${name}`, async () => {
            await reader.paste(await reader.makeShop(), samples)
          })
      }
    })
})

test('step 5 of the README shows a completed payout', async () => {
  const readme = guides.find(({ path }) => path === 'README.md')!
  const printed = await reader.paste(await reader.makeShop(), runnable(readme, 'sh'))
  const [last] = printed.split('\n').filter((line) => line.includes('"id":"pyt-'))
  assert.equal(JSON.parse(last!).result.status, 'completed')
})

test('SDK samples type-check', async () => {
  const folder = folderWithSdk()
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ allowImportingTsExtensions: true, types: ['node'], skipLibCheck: true },
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const page of guides) {
    const samples = samplesIn(page).filter(({ language }) => language === 'ts')
    if (samples.length > 0)
      writeFileSync(path.join(folder, `${path.basename(page.path)}.ts`), scripts.ts(samples))
  }
  await run(tsc, ['-p', folder]).catch(({ stdout }) => assert.fail(stdout))
})
