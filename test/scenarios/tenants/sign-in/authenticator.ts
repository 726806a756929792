import { createServer } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A user's simulated authenticator, in a browser on a page with an origin. */
export type Authenticator = {
  context: BrowserContext
  page: Page
  /** Returns the authenticator's response to the API's options. */
  make(options: unknown): Promise<NewCredential>
  sign(options: unknown): Promise<AssertedCredential>
}

export type NewCredential = {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: string[]
}
export type AssertedCredential = {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string
}

export async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

export async function openAuthenticator(browser: Browser, origin: string): Promise<Authenticator> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/console/sign-in`)
  await addAuthenticator(page)
  const run = <T>(script: string) => page.evaluate<T>(`(async () => { ${script} })()`)
  return {
    context,
    page,
    make: (options) =>
      run(`
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
        const { id, response } = (await navigator.credentials.create({ publicKey })).toJSON()
        const { clientDataJSON, attestationObject, transports } = response
        return { id, clientDataJSON, attestationObject, transports }`),
    sign: (options) =>
      run(`
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
        const { id, response } = (await navigator.credentials.get({ publicKey })).toJSON()
        const { clientDataJSON, authenticatorData, signature, userHandle } = response
        return { id, clientDataJSON, authenticatorData, signature, userHandle }`),
  }
}

/**
 * Returns settings with which the program runs under a host name, because passkeys do not work with an IP
 * address.
 */
export async function namedSettings(): Promise<{ PORT: string; BASE_URL: string }> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return { PORT: String(port), BASE_URL: `http://localhost:${port}` }
}
