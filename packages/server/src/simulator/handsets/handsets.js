// The phones of the test environment. The browser remembers which of them are on the page. Their state is
// polled twice a second while the page is visible.

const refreshEveryMs = 500
const maxWaitMs = 5000
const limitMs = 10000
const storageKey = 'pesewa handsets'

const { firstProvider, firstNumber, maxPhones } = document.body.dataset
const find = (name, within = document) => within.querySelector(`[data-${name}]`)
const copyOf = (name) => find(name).content.firstElementChild.cloneNode(true)

/** Maps a phone number to { providerId, number, network, element, session }. */
const phones = new Map()
let refreshTimer
let refreshCount = 0
let waitMs = refreshEveryMs

for (const phone of remembered()) addPhone(phone)
void refresh()
document.addEventListener('visibilitychange', () => document.hidden || refresh())
window.addEventListener('online', refresh)

// Phones on the page

function remembered() {
  const networks = [...find('add').elements.providerId.options].map(({ value }) => value)
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey))
    return kept
      .filter(
        ({ providerId, number }) => networks.includes(providerId) && /^\+[1-9][0-9]{5,14}$/.test(number),
      )
      .slice(0, Number(maxPhones))
  } catch {
    // Nothing has been stored, the data is invalid, or storage is blocked.
    return [{ providerId: firstProvider, number: firstNumber }]
  }
}

function remember() {
  const kept = [...phones.values()].map(({ providerId, number }) => ({ providerId, number }))
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Not stored: the phones are lost when the page is closed.
  }
}

find('add').addEventListener('submit', async (event) => {
  event.preventDefault()
  const { providerId, number } = event.target.elements
  const fault = find('fault')
  fault.hidden = true
  try {
    if (phones.size >= Number(maxPhones)) throw new Error(`This page can show at most ${maxPhones} phones.`)
    const phone = await post('phones', { providerId: providerId.value, number: number.value })
    if (phones.has(phone.number)) throw new Error('This phone is already on the page.')
    addPhone(phone)
    phones.get(phone.number).element.scrollIntoView({ block: 'start' })
    remember()
    number.value = ''
    say(`Phone added: ${shownNumber(phone.number)}`)
    void refresh()
  } catch (error) {
    fault.textContent = error.message
    fault.hidden = false
    number.focus()
  }
})

function addPhone({ providerId, number }) {
  const option = [...find('add').elements.providerId.options].find(({ value }) => value === providerId)
  const network = option?.dataset.name ?? providerId
  const element = copyOf('phone')
  const phone = { providerId, number, network, element, session: undefined }
  phones.set(number, phone)
  element.dataset.brand = providerId
  element.setAttribute('aria-label', `${network} ${shownNumber(number)}`)
  find('network', element).textContent = network
  find('carrier', element).textContent = network
  find('number', element).textContent = [option?.dataset.country, shownNumber(number)]
    .filter(Boolean)
    .join(' · ')
  find('remove-label', element).textContent = `Remove ${shownNumber(number)}`
  find('code', element).setAttribute('aria-label', `Dial on ${shownNumber(number)}`)
  for (const radio of element.querySelectorAll('.mode input')) {
    radio.name = `mode ${number}`
    radio.addEventListener('change', () => setMode(phone, radio.value))
  }
  find('remove', element).addEventListener('click', () => removePhone(phone))
  wireDialler(phone)
  find('phones').append(element)
  find('empty').hidden = true
}

function removePhone({ number, element }) {
  phones.delete(number)
  element.remove()
  remember()
  find('empty').hidden = phones.size > 0
  find('add').elements.number.focus()
  void refresh()
}

async function setMode(phone, mode) {
  phone.settingMode = true
  await post('mode', { number: phone.number, mode }).catch((error) => say(error.message))
  phone.settingMode = false
  await refresh()
}

// State of the phones

/**
 * Fetches and shows the state of the phones, and schedules the next poll. If polls overlap, only the result of
 * the last one is shown.
 */
async function refresh() {
  clearTimeout(refreshTimer)
  if (document.hidden) return
  refreshCount += 1
  const mine = refreshCount
  const numbers = [...phones.keys()]
  const state =
    numbers.length > 0 ? await post('state', { numbers }).catch(() => undefined) : { handsets: [] }
  if (mine !== refreshCount) return
  if (state) show(state)
  find('offline').hidden = state !== undefined
  waitMs = state ? refreshEveryMs : Math.min(waitMs * 2, maxWaitMs)
  refreshTimer = setTimeout(refresh, waitMs)
}

function show({ time, handsets }) {
  const nowMs = Date.parse(time)
  const prompts = []
  for (const handset of handsets) {
    const phone = phones.get(handset.number)
    if (!phone) continue
    find('clock', phone.element).textContent = shownTime(time)
    showMode(phone, handset.mode)
    showMessages(phone, handset.notices)
    // The oldest prompt is shown first.
    showPrompt(phone, handset.prompts.at(-1), nowMs)
    prompts.push(...handset.prompts.map((prompt) => ({ ...prompt, phone })))
  }
  showWaiting(prompts, nowMs)
}

function showMode(phone, mode) {
  if (phone.settingMode) return
  for (const radio of phone.element.querySelectorAll('.mode input')) radio.checked = radio.value === mode
}

function showMessages(phone, notices) {
  const shown = JSON.stringify(notices)
  if (phone.shownNotices === shown) return
  const messages = find('messages', phone.element)
  const isNew = phone.shownNotices !== undefined
  const before = phone.noticeIds ?? []
  phone.shownNotices = shown
  phone.noticeIds = notices.map(({ id, time }) => `${id} ${time}`)
  find('no-messages', messages).hidden = notices.length > 0
  for (const message of messages.querySelectorAll('.message')) message.remove()
  for (const notice of notices) {
    const message = copyOf('message')
    message.classList.toggle('bad', !notice.isGood)
    message.classList.toggle('new', isNew && !before.includes(`${notice.id} ${notice.time}`))
    find('from', message).textContent = notice.network
    find('time', message).textContent = shownTime(notice.time)
    find('time', message).dateTime = notice.time
    find('text', message).textContent = notice.text
    messages.append(message)
  }
  messages.scrollTop = 0
}

function showPrompt(phone, prompt, nowMs) {
  const shown = phone.element.querySelector('.prompt')
  if (shown && shown.dataset.reference === prompt?.reference) return showLeft(shown, prompt, nowMs)
  shown?.remove()
  if (prompt) openPrompt(phone, prompt, nowMs)
  arrange(phone)
}

function openPrompt(phone, prompt, nowMs) {
  const sheet = copyOf('prompt')
  sheet.dataset.reference = prompt.reference
  // The focus must not move to a PIN field while the user is typing elsewhere.
  const isTyping = document.activeElement.matches('[type=text]') && document.activeElement.value !== ''
  const mayFocus = mayTakeFocus(phone) && !isTyping
  sheet.setAttribute('aria-label', `${prompt.network} requests ${prompt.amount}`)
  find('from', sheet).textContent = prompt.network
  find('ask', sheet).textContent = 'Approve this payment?'
  find('sum', sheet).textContent = prompt.amount
  find('what', sheet).textContent = prompt.what
  showLeft(sheet, prompt, nowMs)
  sheet.addEventListener('submit', (event) => {
    event.preventDefault()
    void answer(phone, prompt, 'approve', sheet)
  })
  find('decline', sheet).addEventListener('click', () => answer(phone, prompt, 'decline', sheet))
  find('over', phone.element).append(sheet)
  say(`${prompt.network} requests ${prompt.amount} from ${shownNumber(phone.number)}: ${prompt.what}`)
  if (mayFocus) find('pin', sheet).focus()
}

function showLeft(sheet, prompt, nowMs) {
  find('left', sheet).textContent = `${secondsLeft(prompt, nowMs)} s left`
}

function showWaiting(prompts, nowMs) {
  const list = find('waiting')
  const before = new Map([...list.children].map((item) => [item.dataset.reference, item]))
  find('none').hidden = prompts.length > 0
  find('count').hidden = prompts.length === 0
  find('count').textContent = prompts.length
  for (const prompt of prompts) {
    const item = before.get(prompt.reference) ?? list.appendChild(waitingOne(prompt))
    before.delete(prompt.reference)
    const who = `${prompt.network}, ${shownNumber(prompt.phone.number)}`
    find('who', item).textContent = `${who} · ${secondsLeft(prompt, nowMs)} s`
  }
  for (const item of before.values()) item.remove()
}

function waitingOne(prompt) {
  const item = copyOf('waiting-one')
  const on = `${prompt.amount} on ${shownNumber(prompt.phone.number)}`
  item.dataset.reference = prompt.reference
  find('sum', item).textContent = prompt.amount
  find('what', item).textContent = prompt.what
  for (const choice of ['approve', 'decline']) {
    const button = find(choice, item)
    button.setAttribute('aria-label', `${button.textContent} ${on}`)
    button.addEventListener('click', () => answer(prompt.phone, prompt, choice, item))
  }
  return item
}

async function answer(phone, prompt, choice, within) {
  const hadFocus = within.contains(document.activeElement)
  for (const button of within.querySelectorAll('button')) button.disabled = true
  try {
    await post('answer', { number: phone.number, reference: prompt.reference, answer: choice })
    say(choice === 'approve' ? 'Approved' : 'Declined')
  } catch (error) {
    say(error.message)
    for (const button of within.querySelectorAll('button')) button.disabled = false
  }
  await refresh()
  // The last screen of a menu says that a prompt follows. Once it is answered, that is no longer true.
  if (phone.session?.isEnded) phone.session.close()
  if (hadFocus) focusOn(phone)
}

// Dialling

function wireDialler(phone) {
  const code = find('code', phone.element)
  find('keys', phone.element).addEventListener('click', ({ target }) => {
    const key = target.closest('[data-key]')?.dataset.key
    if (key && code.value.length < code.maxLength) code.value += key
  })
  find('rub', phone.element).addEventListener('click', () => {
    code.value = code.value.slice(0, -1)
  })
  find('dialler', phone.element).addEventListener('submit', (event) => {
    event.preventDefault()
    const dialled = code.value.replace(/\s/g, '')
    if (dialled === '') return code.focus()
    const session = openMenu(phone)
    if (/^[*#][0-9*#]*#$/.test(dialled)) void step(phone, session, { code: dialled, inputs: [] })
    else session.show('This phone can only dial codes that start with * and end with #.', true)
  })
}

/** Opens the dialog in which the phone shows a USSD menu. */
function openMenu(phone) {
  phone.session?.close()
  const menu = copyOf('ussd')
  const input = find('input', menu)
  const session = {
    isOpen: true,
    isEnded: false,
    busy(text) {
      find('text', menu).textContent = text
      menu.classList.add('busy')
      find('entry', menu).hidden = true
      find('send', menu).hidden = true
    },
    show(text, isEnd) {
      const hadFocus = mayTakeFocus(phone)
      session.isEnded = isEnd
      menu.classList.remove('busy')
      find('text', menu).textContent = text
      find('entry', menu).hidden = isEnd
      find('send', menu).hidden = isEnd
      find('cancel', menu).textContent = isEnd ? 'OK' : 'Cancel'
      input.value = ''
      if (hadFocus) (isEnd ? find('cancel', menu) : input).focus()
    },
    close() {
      session.isOpen = false
      menu.remove()
      phone.session = undefined
      arrange(phone)
      focusOn(phone)
    },
  }
  menu.addEventListener('submit', (event) => {
    event.preventDefault()
    if (session.next && !find('send', menu).hidden) session.next(input.value)
  })
  menu.addEventListener('keydown', ({ key }) => key === 'Escape' && session.close())
  find('cancel', menu).addEventListener('click', session.close)
  find('over', phone.element).append(menu)
  phone.session = session
  arrange(phone)
  find('cancel', menu).focus()
  return session
}

async function step(phone, session, { code, sessionId, inputs }) {
  session.busy('USSD code running…')
  let screen
  try {
    screen = await post('dial', {
      providerId: phone.providerId,
      number: phone.number,
      code,
      inputs,
      ...(sessionId && { sessionId }),
    })
  } catch {
    screen = { text: 'Network problem. Try again later.', isEnd: true }
  }
  if (!session.isOpen) return
  session.next = (input) =>
    step(phone, session, { code, sessionId: screen.sessionId, inputs: [...inputs, input] })
  session.show(screen.text, screen.isEnd)
  if (screen.isEnd) await refresh()
}

/** Makes covered layers inert. A prompt covers a menu, and both cover the home screen. */
function arrange({ element }) {
  const prompt = element.querySelector('.prompt')
  const menu = element.querySelector('.ussd')
  find('home', element).inert = Boolean(prompt || menu)
  if (menu) menu.inert = Boolean(prompt)
}

function mayTakeFocus({ element }) {
  return document.activeElement === document.body || element.contains(document.activeElement)
}

/** Moves the focus to the topmost input on the phone. */
function focusOn({ element }) {
  if (!element.isConnected) return
  const prompt = element.querySelector('.prompt')
  const menu = element.querySelector('.ussd')
  const entry = menu && find('entry', menu).hidden ? find('cancel', menu) : menu && find('input', menu)
  ;(prompt ? find('pin', prompt) : (entry ?? find('code', element))).focus()
}

// Requests to the service

async function post(path, body) {
  const answer = await fetch(`/simulator/handsets/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    signal: AbortSignal.timeout(limitMs),
  })
  const answered = await answer.json()
  if (answer.ok) return answered
  const [detail] = answered.error?.details ?? []
  throw new Error(
    detail ? `The ${detail.param} ${detail.errors[0]}.` : (answered.error?.message ?? 'The request failed.'),
  )
}

function say(text) {
  find('said').textContent = text
}

function secondsLeft({ endTime }, nowMs) {
  return Math.max(0, Math.ceil((Date.parse(endTime) - nowMs) / 1000))
}

function shownTime(time) {
  return new Date(time).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

function shownNumber(number) {
  return number.replace(/^(\+\d{3})(\d{2})(\d{3})(\d+)$/, '$1 $2 $3 $4')
}
