import { percentile } from './visits.ts'

const times = 200

type Shop = { origin: string; token: string; spaceId: string }

/** Texts that people search for, by kind. Each search is for another object. */
const kinds: Record<string, (n: number) => string> = {
  'order number': (n) => String(1 + n * 997),
  phone: (n) => `07${String((n * 7919) % 1_000_000).padStart(7, '0')}`,
  'rail’s reference': (n) => `copy-${1 + n * 991}`,
  amount: (n) => `Le ${1 + n}.${10 + (n % 90)}`,
  'nothing, digits': (n) => `9${String(n).padStart(13, '0')}`,
  'name of the newest': () => 'o',
  'name of nothing': (n) => `nobody ${n}`,
}

export type MeasuredSearch = { name: string; p50: number; p99: number }

/** Searches for each kind of text many times, one at a time, and measures the calls in milliseconds. */
export async function measureSearches({ origin, token, spaceId }: Shop): Promise<MeasuredSearch[]> {
  const measured: MeasuredSearch[] = []
  for (const [name, textOf] of Object.entries(kinds)) {
    const calls: number[] = []
    for (let n = 0; n <= times; n++) {
      const began = performance.now()
      const answer = await fetch(`${origin}/v1/search?q=${encodeURIComponent(textOf(n).padEnd(2, 'o'))}`, {
        headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId },
      })
      await answer.text()
      if (answer.status !== 200) throw new Error(`a search for ${textOf(n)} returned ${answer.status}`)
      // The first call warms the caches of node and database.
      if (n > 0) calls.push(performance.now() - began)
    }
    measured.push({ name, p50: percentile(calls, 50), p99: percentile(calls, 99) })
  }
  return measured
}
