/** To find one takes as long as to render a page; there are only so many countries. */
const zones = new Map<string, string>()

/** The time by which all of a country lives, or UTC: for an unknown country, and for one that spans several zones. */
export function timeZoneOf(country: string): string {
  const zone = zones.get(country) ?? onlyZoneOf(country)
  zones.set(country, zone)
  return zone
}

function onlyZoneOf(country: string): string {
  // Node has the method; TypeScript's library does not yet.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale('und', {
    region: country,
  })
  const [only = 'UTC', ...others] = locale.getTimeZones?.() ?? []
  return others.length === 0 ? only : 'UTC'
}
