// The pages of records. `publicUrl` has no slash at its end.

/** Where a service runs that was not told its URL. */
export const defaultPublicUrl = 'http://localhost:3000'

export const propertyUrl = (publicUrl: string, id: string): string => `${publicUrl}/properties/${id}`

export const permitUrl = (publicUrl: string, citySlug: string, permitId: string): string =>
  `${publicUrl}/permits/${citySlug}/${encodeURIComponent(permitId)}`
