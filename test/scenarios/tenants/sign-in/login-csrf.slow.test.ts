import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { createLink } from '../../../../packages/server/src/tenants/sign-in/links.ts'
import { invite } from '../../../../packages/server/src/tenants/team/invitations.ts'
import { until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { openConsole } from '../../operations/console/stage.ts'
import { assertUsable } from '../../operations/console/usable.ts'
import { peopleOf } from './people.ts'

// Login CSRF: a link signs in whoever opens it, so another site could open a link to its own account in a
// victim's browser.

const mailbox = await startMailbox()
const stage = await openConsole({ settings: { SMTP_URL: mailbox.url } })
const { t, browser } = stage
const { db, home, baseUrl } = t.app.parts
const { emailOf, signedIn } = peopleOf(t)

/** Another site, under another host name and port. It serves the last page that it was given. */
let page = ''
const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const siteUrl = `http://localhost:${(site.address() as { port: number }).port}/`

after(async () => {
  await stage.close()
  await mailbox.close()
  site.closeAllConnections()
  site.close()
})

const linkFor = (userId: string) => home.transaction((tx) => createLink(tx, t.app.parts, userId, 60_000))
const secretIn = (link: string) => link.split('#link=')[1] ?? ''

const someone = async () => {
  const merchant = await t.merchant()
  return { userId: merchant.userId, email: await emailOf(merchant.userId) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const masked = (email: string) => email.replace(/^(.)[^@]*/, '$1…')

/** Returns the user who is signed in to a browser. */
async function signedInEmail(context: BrowserContext): Promise<string | undefined> {
  const response = await context.request.get(`${baseUrl}/v1/me`)
  return response.ok() ? (await response.json()).result.user.email : undefined
}

const usedLinks = async ({ userId }: Someone) =>
  (
    await db.only<{ n: number }>(sql`
      select count(*)::int as n from sign_in_links where user_id = ${userId} and used_at is not null`)
  ).n
const sessionsOf = async ({ userId }: Someone) =>
  (
    await db.only<{ n: number }>(sql`
      select count(*)::int as n from sessions where user_id = ${userId} and ended_at is null`)
  ).n

const button = (of: Page, name: string) => of.getByRole('button', { name, exact: true })
const isIn = (of: Page) => of.locator('nav a').first().waitFor()
/** Waits until the page has loaded: it asks a question, or a user is signed in. */
const isThere = (of: Page) => button(of, 'Stay signed in').or(of.locator('nav a')).first().waitFor()

async function withBrowser<T>(use: (context: BrowserContext) => Promise<T>, cookie?: string): Promise<T> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  context.setDefaultTimeout(10_000)
  const [name = '', value = ''] = cookie?.split('=') ?? []
  if (cookie) await context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' }])
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

const asPerson = async (person: Someone, use: (there: Page, context: BrowserContext) => Promise<void>) =>
  withBrowser(
    async (context) => use(await context.newPage(), context),
    (await signedIn(person.userId)).cookie,
  )

/** Attacks by another site that has a link of its own, and what to wait for. */
const attacks: Record<string, (link: string) => { html: string; until(page: Page): Promise<unknown> }> = {
  'navigates to it': (link) => ({
    html: `<script>location = ${JSON.stringify(link)}</script>`,
    until: isThere,
  }),
  'opens it in a window': (link) => ({
    html: `<button>Win a prize</button>
      <script>document.querySelector('button').onclick = () => open(${JSON.stringify(link)})</script>`,
    async until(there) {
      const [popup] = await Promise.all([there.waitForEvent('popup'), there.getByRole('button').click()])
      await isThere(popup)
    },
  }),
  'shows it in a frame': (link) => ({
    html: `<iframe src="${link}" onload="document.title = 'done'"></iframe>`,
    until: (there) => there.waitForFunction("document.title === 'done'"),
  }),
  'posts its secret with a form': (link) => ({
    html: `<form method="post" enctype="text/plain" action="${baseUrl}/v1/sign-in/link/redeem">
      <input name='{"secret":"${secretIn(link)}","x":"' value='"}'></form><script>document.forms[0].submit()</script>`,
    until: (there) => there.waitForURL(/redeem/),
  }),
  'posts its secret with a script': (link) => ({
    html: `<script>
      const post = (mode, type) => fetch('${baseUrl}/v1/sign-in/link/redeem', {
        method: 'POST', mode, credentials: 'include', headers: { 'content-type': type },
        body: JSON.stringify({ secret: '${secretIn(link)}' }) }).catch(() => undefined)
      Promise.all([post('cors', 'application/json'), post('no-cors', 'text/plain')]).then(() => { document.title = 'done' })
    </script>`,
    until: (there) => there.waitForFunction("document.title === 'done'"),
  }),
}

describe('another site with a link to its own account', () => {
  for (const [what, attack] of Object.entries(attacks))
    test(`that ${what} signs nobody in or out, and uses up no link`, async () => {
      const [victim, attacker] = [await someone(), await someone()]
      const { html, until: untilDone } = attack(await linkFor(attacker.userId))
      page = html
      await asPerson(victim, async (there, context) => {
        await there.goto(siteUrl)
        await untilDone(there)
        assert.equal(await signedInEmail(context), victim.email)
      })
      assert.deepEqual([await usedLinks(attacker), await sessionsOf(attacker)], [0, 0])
      await withBrowser(async (context) => {
        const there = await context.newPage()
        await there.goto(siteUrl)
        if (what === 'navigates to it') await button(there, 'Sign in').waitFor()
        else if (what === 'opens it in a window') {
          const [popup] = await Promise.all([there.waitForEvent('popup'), there.getByRole('button').click()])
          await button(popup, 'Sign in').waitFor()
        } else await untilDone(there)
        assert.equal(await signedInEmail(context), undefined, 'nobody is signed in before or after')
      })
      assert.deepEqual([await usedLinks(attacker), await sessionsOf(attacker)], [0, 0])
    })
})

describe('a link for an account other than the signed-in one', () => {
  test('asks first; staying keeps the session, and one click cannot switch it', async () => {
    const [victim, other] = [await someone(), await someone()]
    await asPerson(victim, async (there, context) => {
      const link = await linkFor(other.userId)
      await there.goto(link)
      await there.getByText(`Sign in as ${masked(other.email)}?`).waitFor()
      await there.getByText(`You are signed in as ${victim.email}.`).waitFor()
      await button(there, 'Switch account').click()
      await there.getByLabel('Email').fill(victim.email)
      await button(there, 'Switch account').click()
      await there.getByText('This link belongs to another email address.').waitFor()
      await assertUsable(there, 'link-of-another')
      assert.equal(await signedInEmail(context), victim.email)
      await button(there, 'Stay signed in').click()
      await isIn(there)
      assert.equal(await signedInEmail(context), victim.email)
      assert.equal(await usedLinks(other), 0)

      await there.goto(`${baseUrl}/console/sign-in`)
      await there.goto(link)
      await there.getByLabel('Email').fill(` ${other.email.toUpperCase()} `)
      await button(there, 'Switch account').click()
      await isIn(there)
      assert.equal(await signedInEmail(context), other.email)
    })
    assert.deepEqual(
      [await sessionsOf(victim), await sessionsOf(other)],
      [0, 1],
      'the earlier session has ended',
    )
  })

  test('asks even if the other user signed in after the page was opened', async () => {
    const [first, second] = [await someone(), await someone()]
    await withBrowser(async (context) => {
      const [one, two] = [await context.newPage(), await context.newPage()]
      await one.goto(await linkFor(first.userId))
      await button(one, 'Sign in').waitFor()
      await two.goto(await linkFor(second.userId))
      await button(two, 'Sign in').click()
      await isIn(two)
      await button(one, 'Sign in').click()
      await one.getByText(`You are signed in as ${second.email}.`).waitFor()
      assert.equal(await signedInEmail(context), second.email)
    })
  })

  test('asks before an invitation, too', async () => {
    const [victim, attacker] = [await someone(), await someone()]
    const shop = await t.merchant({ name: 'Lappa House' })
    const { spaceId } = shop.scope
    await home.transaction((tx) =>
      invite(tx, { spaceId, email: attacker.email, role: 'viewer' }, { by: 'a test', reason: 'to join' }),
    )
    const link = await mailedLink(attacker.email, { kind: 'invitation' })
    await asPerson(victim, async (there, context) => {
      await there.goto(link)
      await there.getByText(`Join Lappa House as ${masked(attacker.email)} (Viewer)?`).waitFor()
      await button(there, 'Stay signed in').click()
      await isIn(there)
      assert.equal(await signedInEmail(context), victim.email)
    })
    await withBrowser(async (context) => {
      const there = await context.newPage()
      await there.goto(link)
      await button(there, 'Join').click()
      await isIn(there)
      assert.equal(await signedInEmail(context), attacker.email)
    })
  })

  test('needs only a click if it is for the signed-in account itself', async () => {
    const person = await someone()
    await asPerson(person, async (there) => {
      await there.goto(await linkFor(person.userId))
      await button(there, 'Sign in').click()
      await isIn(there)
    })
    assert.equal(await sessionsOf(person), 1, 'the earlier session has ended')
  })
})

const mailsTo = (email: string) => mailbox.received.filter(({ to }) => to.includes(email))

/** Returns the link in the next mail to an address. */
const mailedLink = (email: string, { kind = 'link', after = 0 } = {}) =>
  until(async () => {
    const mail = mailsTo(email)[after]?.data.replace(/=\n/g, '').replace(/=3D/g, '=') ?? ''
    return new RegExp(`http\\S+#${kind}=\\S+`).exec(mail)?.[0]
  })

async function askFor(email: string, context: BrowserContext): Promise<string> {
  const there = await context.newPage()
  const { length } = mailsTo(email)
  await there.goto(`${baseUrl}/console/sign-in`)
  await there.getByLabel('Email').fill(email)
  await button(there, 'Email me a link').click()
  await there.getByText('a sign-in link is on its way').waitFor()
  return mailedLink(email, { after: length })
}

describe('a link sent by email', () => {
  test('signs in with one click in the browser that requested it; any other asks for the address', async () => {
    const person = await someone()
    await withBrowser(async (asking) => {
      const link = await askFor(person.email, asking)
      await withBrowser(async (other) => {
        const there = await other.newPage()
        await there.goto(link)
        await there.getByText('This link was requested in another browser.').waitFor()
        await assertUsable(there, 'link-from-elsewhere')
        await button(there, 'Sign in').click()
        await there.getByLabel('Email').fill('nobody@shop.example')
        await button(there, 'Sign in').click()
        await there.getByText('This link belongs to another email address.').waitFor()
        assert.equal(await signedInEmail(other), undefined)
      })
      const there = await asking.newPage()
      await there.goto(link)
      await there.getByText(`Sign in as ${masked(person.email)}?`).waitFor()
      await assertUsable(there, 'link')
      await button(there, 'Sign in').click()
      await isIn(there)
      assert.equal(await signedInEmail(asking), person.email)

      const second = await askFor(person.email, asking)
      await withBrowser(async (other) => {
        const elsewhere = await other.newPage()
        await elsewhere.goto(second)
        await elsewhere.getByLabel('Email').fill(person.email)
        await button(elsewhere, 'Sign in').click()
        await isIn(elsewhere)
        assert.equal(await signedInEmail(other), person.email)
      })
    })
  })

  test('is not used up by mail scanners, which open it and click what they find', async () => {
    const person = await someone()
    await withBrowser(async (asking) => {
      const link = await askFor(person.email, asking)
      for (const name of ['Sign in', 'Sign in another way'])
        await withBrowser(async (scanner) => {
          const there = await scanner.newPage()
          await there.goto(link)
          await button(there, name).click()
          await there.goto(link)
          await there.reload()
          assert.equal(await signedInEmail(scanner), undefined)
        })
      const there = await asking.newPage()
      await there.goto(link)
      await button(there, 'Sign in').click()
      await isIn(there)
    })
  })

  test('needs no address in a browser in which its user has signed in before', async () => {
    const person = await someone()
    await withBrowser(async (known) => {
      const there = await known.newPage()
      await there.goto(await linkFor(person.userId))
      await button(there, 'Sign in').click()
      await isIn(there)
      await there.locator('.account summary').click()
      await button(there, 'Sign out').click()
      await there.getByLabel('Email').waitFor()
      const link = await withBrowser((asking) => askFor(person.email, asking))
      await there.goto(link)
      await button(there, 'Sign in').click()
      await isIn(there)
    })
  })
})

test('a link can be pasted into the open sign-in page, even after one that does not work', async () => {
  const person = await someone()
  await withBrowser(async (context) => {
    const there = await context.newPage()
    await there.goto(`${baseUrl}/console/sign-in`)
    await there.getByLabel('Email').waitFor()
    const paste = (hash: string) => there.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await paste('#link=used%')
    await there.getByText('This link was already used').waitFor()
    assert.equal(await there.evaluate('location.hash'), '')
    await paste(new URL(await linkFor(person.userId)).hash)
    await there.getByText(`Sign in as ${masked(person.email)}?`).waitFor()
    assert.equal(await there.evaluate('location.hash'), '')
    await button(there, 'Sign in another way').click()
    await there.getByLabel('Email').waitFor()
    await paste(new URL(await linkFor(person.userId)).hash)
    await button(there, 'Sign in').click()
    await isIn(there)
    assert.equal(await signedInEmail(context), person.email)
  })
})
