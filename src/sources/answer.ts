// How other people's servers are spoken to, for those who ask.

export interface Http {
  /** One answer, its body unpacked and capped. */
  open(url: string, options?: RequestOptions): Promise<Answer>
  /** One answer read whole and parsed. */
  json(url: string, options?: RequestOptions): Promise<unknown>
  close(): Promise<void>
}

export interface RequestOptions {
  headers?: Record<string, string>
  maxBytes?: number
  /** Only these are worth an answer without a body. */
  acceptNotModified?: boolean
  /** A body that breaks off is taken up where it broke, as long as the file is the same. */
  resume?: boolean
}

export interface Answer {
  url: string
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: AsyncIterable<Uint8Array>
}
