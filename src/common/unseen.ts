// Characters that show nothing, or that reorder the text around them on a page or in a mail.
export const unseen = /[\p{Cc}\p{Bidi_Control}]/gu
/** Of a text that keeps its line breaks. */
export const unseenInLines = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu
