// Rules for texts that do not need the schema library. Commands that do not load that library start in half the
// time.

/** Matches a visible character. A text that contains no visible character looks empty. */
export const visible =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0]'
/**
 * Scripts whose letters change their form next to U+200C or U+200D: joining scripts, and the scripts of India
 * and its neighbours.
 */
const joiningScripts = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Adlam',
    'Mandaic',
    'Mongolian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
  ],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')
/** Matches the joiners that a script or an emoji needs, and the tag characters in flags. */
const neededForm = new RegExp(
  `(?<=[${joiningScripts}]\\p{M}*)[\\u200c\\u200d](?=[${joiningScripts}])` +
    `|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})` +
    `|(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}`,
  'gu',
)
/**
 * Matches zero-width and bidirectional control characters, which make a text look different from what is
 * stored.
 */
const hiddenForm =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
export const hidesCharacters = (value: string) =>
  value.search(hiddenForm) >= 0 && value.replace(neededForm, '').search(hiddenForm) >= 0
export const hiddenCharactersError = 'must not contain zero-width or bidirectional control characters'
/** Removes hidden characters from a text that a person typed or pasted. */
export const withoutHidden = (value: string) =>
  hidesCharacters(value) ? value.replace(hiddenForm, '') : value

const visibleForm = new RegExp(visible, 'u')
export const isVisible = (value: string) => visibleForm.test(value)
