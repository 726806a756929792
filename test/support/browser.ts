import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { closeAtEnd, isShared } from './runner/ending.ts'

/**
 * Opens the Chromium from the development dependencies. Test files that run in one process share one browser,
 * because starting it takes 1.5 seconds of CPU time; there, `close` closes only the contexts that were opened
 * since this call.
 */
export async function openBrowser(): Promise<Browser> {
  if (!isShared) return launchBrowser()
  shared ??= launchBrowser().then((browser) => {
    closeAtEnd(() => browser.close())
    return browser
  })
  const browser = await shared
  const before = new Set(browser.contexts())
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close')
        return async () => {
          for (const context of target.contexts()) if (!before.has(context)) await context.close()
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

let shared: Promise<Browser> | undefined

async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpackedChromium()
  const launch = () => playwright.launch({ executablePath, args, headless: true })
  // On a busy machine, Chromium sometimes crashes while it starts, before it has opened any page.
  return launch().catch(launch)
}

// The package's default arguments also switch off what these tests are about (--disable-web-security,
// --allow-running-insecure-content) and run all pages in one process, where one crash ends them all.
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
]

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const args = [...chromium.args.filter((arg) => !unwanted.includes(arg)), ...quiet]

/**
 * Returns the path of Chromium, and unpacks it first if necessary. The package itself unpacks straight into the
 * temporary folder and mistakes a half-written file for a complete one, so two test files that start together
 * would break each other. This function unpacks into a separate folder, and a rename makes the result appear
 * all at once.
 */
async function unpackedChromium(): Promise<string> {
  const home = join(tmpdir(), `pesewa-chromium-${packageVersion()}-${userInfo().uid}`)
  const program = join(home, 'chromium')
  if (existsSync(program)) return program

  const aside = await mkdtemp(`${home}-`)
  await unpackInto(aside)
  try {
    await rename(aside, home)
  } catch (error) {
    await rm(aside, { recursive: true })
    if (!existsSync(program)) throw error
  }
  return program
}

async function unpackInto(folder: string): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

function packageVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  return JSON.parse(readFileSync(file, 'utf8')).version
}
