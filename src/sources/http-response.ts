// The HTTP client that sources use.

export interface Http {
  /** One response, its body decompressed and limited in size. */
  open(url: string, options?: RequestOptions): Promise<HttpResponse>
  /** One response, read completely and parsed. */
  json(url: string, options?: RequestOptions): Promise<unknown>
  close(): Promise<void>
}

export interface RequestOptions {
  headers?: Record<string, string>
  maxBytes?: number
  /** Accepts 304, which has no body. */
  acceptNotModified?: boolean
  /** A body that breaks off is resumed there, if the file is still the same. */
  resume?: boolean
  onHeaders?: (headers: HttpResponse['headers']) => void
}

export interface HttpResponse {
  url: string
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: AsyncIterable<Uint8Array>
}
