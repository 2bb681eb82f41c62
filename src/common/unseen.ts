import { badRequest } from './errors.ts'

/** Characters that show nothing, or that reorder the text around them on a page or in a mail. */
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu
/** Of a text that keeps its line breaks. */
export const unseenInLines = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu

/** The name that a caller gives to something shown on pages and in mails. */
export const visibleName = (name: string, example: string): string => {
  const visible = name.replace(unseen, '').trim()
  if (visible === '')
    throw badRequest(
      `name must have 1 to 80 visible characters, for example "${example}"; it has only spaces and control characters.`,
    )
  return visible
}
