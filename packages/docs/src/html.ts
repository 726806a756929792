const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const signs = Object.fromEntries(Object.entries(entities).map(([sign, entity]) => [entity, sign]))

export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** Converts HTML that was rendered by this slice to plain text on one line. */
export const htmlToText = (html: string) =>
  html
    .replace(/<\/?(?:a|b|code|em|mark|small|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(
      /&(?:amp|lt|gt|quot|#39|#x27);/g,
      (entity) => signs[entity] ?? (entity === '&#x27;' ? "'" : entity),
    )
    .replace(/\s+/g, ' ')
    .trim()
