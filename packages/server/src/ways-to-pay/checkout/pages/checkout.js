// Progressive enhancement. Every form and link works without this script.
;(() => {
  const forms = document.querySelectorAll('form[data-once]')
  const waiting = document.querySelector('[data-status-url]')
  if (forms.length > 0) submitOnce()
  const phone = document.getElementById('phone')
  if (phone) recognizeNetwork()
  if (phone) keepNumber()
  const faults = document.querySelectorAll('[data-fault]')
  if (faults.length > 0) forgetFault()
  const share = document.querySelector('[data-share]')
  if (share) shareReceipt()
  // The second payment, or its return, will soon be complete.
  if (document.querySelector('[data-unsettled]')) setTimeout(() => location.reload(), 5000)
  const copy = document.querySelector('[data-copy]')
  if (copy && navigator.clipboard) offerCopy()
  if (waiting) awaitOutcome(waiting.dataset.statusUrl, waiting.dataset.waitUrl)

  function submitOnce() {
    const buttons = document.querySelectorAll('button[data-busy]')
    const said = document.querySelector('[data-said]')
    let releaseTimer
    let chosen

    for (const form of forms) {
      form.addEventListener('submit', ({ submitter }) => {
        submitter.dataset.label ??= submitter.textContent
        submitter.textContent = said.textContent = submitter.dataset.busy
        // A disabled button is not submitted.
        const { name, value } = submitter
        chosen = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
        form.append(chosen)
        for (const each of buttons) each.disabled = true
        // If the payer stops loading a slow page, the buttons must work again.
        releaseTimer = setTimeout(release, 20000)
      })
    }

    // When the payer goes back, some browsers restore this page from memory, although the order may have been
    // paid in the meantime.
    window.addEventListener('pageshow', (event) => {
      release()
      if (event.persisted) location.reload()
    })

    function release() {
      clearTimeout(releaseTimer)
      chosen?.remove()
      said.textContent = ''
      for (const button of buttons) {
        button.disabled = false
        if (button.dataset.label) button.textContent = button.dataset.label
      }
    }
  }

  /** Removes the error, and what was offered because of it, as soon as the payer corrects the form. */
  function forgetFault() {
    const form = faults[0].closest('form')
    const forget = ({ target }) => {
      const instead = form.querySelector('[name=instead]')?.value
      for (const fault of faults) fault.remove()
      form.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid')
      // A network that was selected because of the number does not outlast it.
      if (target !== phone || !instead) return
      form.querySelector(`[name=provider][value="${instead}"]`).checked = false
      phone.dispatchEvent(new Event('input'))
    }
    form.addEventListener('input', forget, { once: true })
  }

  /**
   * Shows which network a number belongs to while the payer types it. The server decides, unless the payer
   * chooses a network.
   */
  function recognizeNetwork() {
    const { dialCode } = phone.form.dataset
    const tiles = [...phone.form.querySelectorAll('[data-prefixes]')]
    const other = phone.form.querySelector('button[data-not]')
    const said = document.querySelector('[data-said]')
    let lit = phone.form.querySelector('.lit')

    phone.addEventListener('change', () => {
      const number = phone.value.trim()
      if (dialCode && number.startsWith(dialCode)) phone.value = number.slice(dialCode.length).trim()
    })
    if (!other) return
    phone.addEventListener('input', recognize)
    other.addEventListener('click', () => {
      phone.removeEventListener('input', recognize)
      light()
      tiles[0].querySelector('input').focus()
    })

    function recognize() {
      if (phone.form.querySelector('[name=provider]:checked')) return light()
      let digits = phone.value.replace(/[^+0-9]/g, '').replace(/^00/, '+')
      if (dialCode && digits.startsWith(dialCode)) digits = digits.slice(dialCode.length)
      digits = digits.replace('+', '')
      light(find(digits) ?? (dialCode && find(digits.replace(/^0/, ''))))
    }

    /** Returns the tile with the longest prefix of the number. */
    function find(digits) {
      let best = 0
      let found
      for (const tile of tiles)
        for (const prefix of tile.dataset.prefixes.split(' '))
          if (prefix.length > best && digits.startsWith(prefix) && !tile.querySelector(':disabled')) {
            best = prefix.length
            found = tile
          }
      return found
    }

    function light(tile) {
      if (tile === lit) return
      lit?.classList.remove('lit')
      tile?.classList.add('lit')
      other.parentNode.classList.toggle('known', tile !== undefined)
      other.textContent = tile?.dataset.not
      said.textContent = tile?.querySelector('.provider-name').textContent ?? ''
      lit = tile
    }
  }

  /** Keeps the number that the payer has begun to type if the page is shown in another language. */
  function keepNumber() {
    const key = `number ${location.pathname}`
    try {
      const kept = sessionStorage.getItem(key)
      sessionStorage.removeItem(key)
      if (kept && !phone.value) {
        phone.value = kept
        phone.dispatchEvent(new Event('input'))
      }
      for (const link of document.querySelectorAll('[hreflang]'))
        link.addEventListener('click', () => sessionStorage.setItem(key, phone.value))
    } catch {
      // Storage is blocked.
    }
  }

  /** Opens the phone's share menu, or copies the link if there is none. */
  function shareReceipt() {
    const url = new URL(share.dataset.share, location.href).href
    share.hidden = false
    share.addEventListener('click', async () => {
      if (navigator.share) return navigator.share({ url }).catch(() => {})
      try {
        await navigator.clipboard.writeText(url)
      } catch {
        return prompt(share.textContent, url)
      }
      share.textContent = document.querySelector('[data-said]').textContent = share.dataset.done
    })
  }

  function offerCopy() {
    copy.hidden = false
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(copy.dataset.copy)
      copy.textContent = document.querySelector('[data-said]').textContent = copy.dataset.done
    })
  }

  function awaitOutcome(statusUrl, waitUrl) {
    const startedAt = Date.now()
    countDown(document.querySelector('[data-minutes-left]'))
    countSeconds(document.querySelector('[data-seconds-left]'))
    let delayMs = 700
    let asking = false
    let timer = setTimeout(ask, delayMs)
    // While a countdown is running, the payer may still be reading.
    if (!document.querySelector('[data-seconds-left]')) setTimeout(() => show('[data-slow]'), 20000)

    // The payer may approve the payment in another app on the same phone, so poll as soon as they return.
    document.addEventListener('visibilitychange', () => document.hidden || ask())
    window.addEventListener('pageshow', (event) => event.persisted && ask())
    window.addEventListener('online', ask)

    async function ask() {
      if (asking) return
      asking = true
      clearTimeout(timer)
      const done = await isDone()
      asking = false
      if (done) return location.replace(waitUrl)
      if (Date.now() - startedAt > 15 * 60 * 1000) return stop()
      delayMs = Math.min(delayMs * 1.25, 3000)
      timer = setTimeout(ask, delayMs)
    }

    async function isDone() {
      const abort = new AbortController()
      const limit = setTimeout(() => abort.abort(), 10000)
      try {
        const answer = await fetch(statusUrl, { cache: 'no-store', signal: abort.signal })
        return (await answer.json()).status === 'done'
      } catch {
        // A network error does not mean that the wait is over, so keep polling.
        return false
      } finally {
        clearTimeout(limit)
      }
    }

    function countDown(shown) {
      if (!shown) return
      const minutes = Number(shown.textContent)
      setInterval(() => {
        shown.textContent = Math.max(0, Math.ceil(minutes - (Date.now() - startedAt) / 60000))
      }, 10000)
    }

    function countSeconds(shown) {
      if (!shown) return
      const { secondsLeft, label } = shown.dataset
      const tick = () => {
        const left = Math.max(0, Math.ceil(secondsLeft - (Date.now() - startedAt) / 1000))
        shown.textContent = `${label} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
        if (left > 0) return
        clearInterval(ticking)
        shown.hidden = true
        show('[data-over]')
      }
      const ticking = setInterval(tick, 1000)
      tick()
    }

    function stop() {
      waiting.classList.add('wait-stopped')
      show('[data-slow]', false)
      show('[data-stopped]')
    }

    function show(selector, isShown = true) {
      const note = document.querySelector(selector)
      if (note) note.hidden = !isShown
    }
  }
})()
