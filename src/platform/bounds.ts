// Bounds that hold also where no shape is: a command starts in half the time without the shapes' library.

/** A character that can be seen: what has only others looks like nothing. */
export const visible =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0]'
/** Scripts whose letters take other forms beside U+200C or U+200D: those that join letters, and those of India and its neighbours. */
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
/** Joiners where a script or an emoji needs them, and the tags of flags. */
const neededForm = new RegExp(
  `(?<=[${joiningScripts}]\\p{M}*)[\\u200c\\u200d](?=[${joiningScripts}])` +
    `|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})` +
    `|(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}`,
  'gu',
)
/** What turns the direction of text, or has no width: with it a text reads as another one than it is. */
const hiddenForm =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
export const hidesCharacters = (value: string) =>
  value.search(hiddenForm) >= 0 && value.replace(neededForm, '').search(hiddenForm) >= 0
export const hiddenFault = 'must not contain characters that have no width or turn the direction of text'
/** The same text without what nobody sees; for what people typed or pasted by hand. */
export const withoutHidden = (value: string) =>
  hidesCharacters(value) ? value.replace(hiddenForm, '') : value

const visibleForm = new RegExp(visible, 'u')
export const isVisible = (value: string) => visibleForm.test(value)
