// Bounds that hold also where no shape is: a command starts in half the time without the shapes' library.

/** A character that can be seen: what has only others looks like nothing. */
export const visible =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0]'
const visibleForm = new RegExp(visible, 'u')
export const isVisible = (value: string) => visibleForm.test(value)
