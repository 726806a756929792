import type { Locator, Page } from 'playwright-core'

/** Expands a payment method of the payment form, chooses its provider, and returns its form. */
export async function openWay(
  page: Page,
  way: 'momo' | 'bank' | 'wallet' | 'card',
  provider: string,
): Promise<Locator> {
  const form = page.locator('form').filter({ has: page.locator(`input[name=way][value=${way}]`) })
  if (!(await form.isVisible())) await page.locator('details', { has: form }).locator('summary').click()
  const list = form.locator('select')
  if ((await list.count()) > 0) await list.selectOption(provider)
  const tile = form.locator(`label:has(input[value="${provider}"])`)
  if ((await tile.count()) > 0) await tile.click()
  return form
}
