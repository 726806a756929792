// <pesewa-checkout link="https://pay.example/l/K7Q4M2XP">Pay</pesewa-checkout>: a button that opens a payment link.
// It reads only its own attributes and the page's language, and asks the payment service for the link's amount and
// payment methods, and for the outcome. Without an answer, it is still a link.
const css = `:host{display:inline-block}a{display:inline-block;padding:.75em 1.5em;border:1px solid transparent;border-radius:.5em;background:var(--pesewa-color,#0f6b4f);color:var(--pesewa-text,#fff);font:600 1em/1.3 system-ui,sans-serif;text-decoration:none}a:focus-visible{outline:3px solid;outline-offset:2px}span{display:block;margin-top:.375em;font:.8125em/1.4 system-ui,sans-serif}span:empty{display:none}`
const params = ['amount', 'quantity', 'reference']

class PesewaCheckout extends HTMLElement {
  static observedAttributes = ['link', 'lang', ...params]

  connectedCallback() {
    const own = this.querySelector('a[href]')
    this.source ??= own?.getAttribute('href')
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' })
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets = [sheet]
      const button = document.createElement('a')
      button.part = 'button'
      button.append(document.createElement('slot'))
      button.setAttribute('aria-describedby', 'details')
      this.details = document.createElement('span')
      this.details.part = this.details.id = 'details'
      // A link inside the element is left unchanged, since it also works without this script.
      root.append(own ? document.createElement('slot') : button, this.details)
      this.anchor = own ?? button
      this.anchor.addEventListener('click', (event) => this.open(event))
    }
    this.update()
    void this.learn()
  }

  attributeChangedCallback() {
    if (this.anchor) this.update()
  }

  update() {
    const url = this.url
    if (!url) {
      this.described = this.details.textContent = ''
      return this.anchor.removeAttribute('href')
    }
    for (const name of params)
      if (this.hasAttribute(name)) url.searchParams.set(name, this.getAttribute(name))
    this.anchor.href = url
    this.show()
    void this.describe(url)
  }

  /** Shows the amount in the default label or, if the merchant wrote the label, below it. */
  show({ amount, methods = [] } = {}) {
    const label = this.textContent.trim()
    if (!label)
      this.anchor.querySelector('slot').textContent =
        (/^fr/i.test(this.language) ? 'Payer' : 'Pay') + (amount ? ` ${amount}` : '')
    const isNews = amount && label && !label.replace(/\s/g, ' ').includes(amount.replace(/\s/g, ' '))
    this.details.textContent = [...(isNews ? [amount] : []), ...methods].join(' · ')
  }

  /** Looks up the amount and the payment methods. Forgets the response if an attribute has changed since. */
  async describe({ origin, pathname, searchParams }) {
    const query = new URLSearchParams({ lang: this.language })
    for (const name of ['amount', 'quantity'])
      if (searchParams.has(name)) query.set(name, searchParams.get(name))
    const address = `${origin}${pathname}/button?${query}`
    this.described = address
    try {
      const answer = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' })
      const offer = answer.ok && (await answer.json())
      if (offer && this.described === address) this.show(offer)
    } catch {}
  }

  get language() {
    return this.closest('[lang]')?.lang || navigator.language
  }

  /** Returns the link's URL if it is an http(s) URL. Any other URL, such as a `javascript:` URL, is ignored. */
  get url() {
    try {
      const url = new URL(this.getAttribute('link') ?? this.source)
      return /^https?:$/.test(url.protocol) ? url : undefined
    } catch {
      return undefined
    }
  }

  /** Opens the link in the same tab on a phone, or in a new tab on a wide screen. */
  open(event) {
    if (!this.anchor.href || event.defaultPrevented) return
    const isWide = matchMedia('(min-width: 48em) and (pointer: fine)').matches
    this.anchor.target = isWide ? '_blank' : ''
    this.anchor.rel = 'noopener'
    if (!this.tell('opened', { url: this.anchor.href })) return event.preventDefault()
    if (!isWide) return
    const back = () => {
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      document.removeEventListener('visibilitychange', back)
      removeEventListener('focus', back)
      this.tell('closed', {})
    }
    document.addEventListener('visibilitychange', back)
    addEventListener('focus', back)
  }

  /** After the payer has returned from the payment page, looks up the session whose id is in the URL. */
  async learn() {
    const checkoutSessionId = new URLSearchParams(location.search).get('checkoutSessionId')
    if (!checkoutSessionId || !this.url || this.asked) return
    this.asked = true
    const { origin, pathname } = this.url
    try {
      const answer = await fetch(`${origin}${pathname}/sessions/${encodeURIComponent(checkoutSessionId)}`, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
      if (!answer.ok) return
      const { status } = await answer.json()
      this.tell('closed', { checkoutSessionId })
      if (status === 'completed') this.tell('completed', { checkoutSessionId, status })
    } catch {}
  }

  tell(what, detail) {
    return this.dispatchEvent(
      new CustomEvent(`pesewa:${what}`, {
        detail,
        bubbles: true,
        composed: true,
        cancelable: what === 'opened',
      }),
    )
  }
}

if (!customElements.get('pesewa-checkout')) customElements.define('pesewa-checkout', PesewaCheckout)
