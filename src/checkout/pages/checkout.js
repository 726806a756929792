// Convenience only: every form and link on these pages works without this file.
;(() => {
  const forms = document.querySelectorAll('form[data-once]')
  const waiting = document.querySelector('[data-status-url]')
  if (forms.length > 0) submitOnce()
  if (forms.length > 0) requireChosenField()
  if (waiting) awaitOutcome(waiting.dataset.statusUrl, waiting.dataset.waitUrl)

  function submitOnce() {
    const buttons = document.querySelectorAll('form[data-once] button')
    const said = document.querySelector('[data-said]')
    let releaseTimer

    for (const form of forms) {
      form.addEventListener('submit', () => {
        // Each way to pay has a button of its own, of which one is seen.
        for (const button of form.querySelectorAll('button')) {
          button.dataset.label ??= button.textContent
          button.textContent = said.textContent = button.dataset.busy
        }
        for (const each of buttons) each.disabled = true
        // A payer who stops a slow load stays on this page and must be able to go on.
        releaseTimer = setTimeout(release, 20000)
      })
    }

    // Back from the next page, some browsers show this one as it was left, and it may have been paid since.
    window.addEventListener('pageshow', (event) => {
      release()
      if (event.persisted) location.reload()
    })

    const phone = document.getElementById('phone')
    const dialCode = phone?.form.dataset.dialCode
    phone?.addEventListener('change', () => {
      const number = phone.value.trim()
      if (dialCode && number.startsWith(dialCode)) phone.value = number.slice(dialCode.length).trim()
    })

    function release() {
      clearTimeout(releaseTimer)
      said.textContent = ''
      for (const button of buttons) {
        button.disabled = false
        if (button.dataset.label) button.textContent = button.dataset.label
      }
    }
  }

  /** Of several ways to pay, each with its field, only the chosen one's must be filled in. */
  function requireChosenField() {
    const ways = document.querySelectorAll('.ways-mixed .way')
    const update = () => {
      for (const way of ways) {
        const field = way.querySelector('.entry input')
        if (field) field.required = way.querySelector(':checked') !== null
      }
    }
    document.querySelector('.ways')?.addEventListener('change', update)
    window.addEventListener('pageshow', update)
  }

  function awaitOutcome(statusUrl, waitUrl) {
    const startedAt = Date.now()
    countDown(document.querySelector('[data-minutes-left]'))
    let delayMs = 700
    let asking = false
    let timer = setTimeout(ask, delayMs)
    setTimeout(() => show('[data-slow]'), 20000)

    // Approving happens in another screen of the same phone: ask at once on the way back.
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
        // Out of reach is not an outcome: keep asking.
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

    function stop() {
      waiting.classList.add('wait-stopped')
      document.querySelector('[data-slow]').hidden = true
      show('[data-stopped]')
    }

    function show(selector) {
      document.querySelector(selector).hidden = false
    }
  }
})()
