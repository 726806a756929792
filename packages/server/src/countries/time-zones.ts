/**
 * Time zones are cached, because looking one up takes as long as rendering a page. There is at most one entry
 * per country.
 */
const zones = new Map<string, string>()

/** Returns the time zone of a country, or UTC if the country is unknown or has several time zones. */
export function timeZoneOf(country: string): string {
  const zone = zones.get(country) ?? singleTimeZone(country)
  zones.set(country, zone)
  return zone
}

function singleTimeZone(country: string): string {
  // Node supports this method, but it is missing from TypeScript's library.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale('und', {
    region: country,
  })
  const [only = 'UTC', ...others] = locale.getTimeZones?.() ?? []
  return others.length === 0 ? only : 'UTC'
}
