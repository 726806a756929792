import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openBrowser } from '../../test/support/browser.ts'
import { freePort } from '../../test/support/free-port.ts'
import { endChildren, spawnChild } from '../children.ts'

/**
 * `npm run bench:newcomer`: measures the time from `git clone` to a paid checkout for someone who follows the
 * README: its first command, then the printed page in a browser. Uses an empty home folder and downloads
 * packages from the registry. Exits with 1 if this takes more than two minutes or more than four commands.
 */
const limits = { seconds: 120, commands: 4 }
const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-newcomer-'))
const clone = path.join(folder, 'pesewa')
const home = path.join(folder, 'home')
mkdirSync(home)
const env = {
  PATH: process.env.PATH?.split(path.delimiter)
    .filter((part) => !part.startsWith(root))
    .join(path.delimiter),
  HOME: home,
  PORT: String(await freePort()),
  METRICS_PORT: String(await freePort()),
}

try {
  const [start = ''] = commandsOf(readFileSync(path.join(root, 'README.md'), 'utf8'))
  const commands = [`git clone ${root} pesewa`, 'cd pesewa', start]
  const begunAt = performance.now()
  execFileSync('git', ['clone', '--quiet', root, clone], { cwd: folder })
  const program = spawnChild('bash', ['-c', `exec ${start}`], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  program.stdout?.setEncoding('utf8')
  const address = await new Promise<string>((resolve, reject) => {
    program.stdout?.on('data', (text: string) => {
      printed += text
      const [found] = /http\S+\/pay\/\S+(?=\s)/.exec(printed) ?? []
      if (found) resolve(found)
    })
    program.once('close', (code) => reject(new Error(`the program exited with ${code}: ${printed}`)))
  })
  const readyMs = performance.now() - begunAt
  await payInBrowser(address)
  const paidMs = performance.now() - begunAt
  console.log(`${commands.length} commands: ${commands.join(' · ')}`)
  console.log(`ready after ${inSeconds(readyMs)} s, paid after ${inSeconds(paidMs)} s`)
  if (paidMs > limits.seconds * 1_000 || commands.length > limits.commands) process.exitCode = 1
} finally {
  await endChildren()
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the first block of commands, one per line, without comments. */
function commandsOf(readme: string): string[] {
  const [, block = ''] = /```sh[^\n]*\n([\s\S]*?)```/.exec(readme) ?? []
  return block.split('\n').map((line) => line.replace(/\s+#.*/, ''))
}

async function payInBrowser(address: string): Promise<void> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } })
    await page.goto(address)
    // As the README says: choose a provider and pay with any number.
    await page.locator('input[name=provider]').first().check()
    await page.locator('input[name=phone]:visible').first().fill('076 123 456')
    await page.locator('form:has(input[name=provider]) button:visible').first().click()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  } finally {
    await browser.close()
  }
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
