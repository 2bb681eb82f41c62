// The states and their USPS codes, by name and by code.
const table =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'

/** Upper-case name or code → code. */
export const stateNames: ReadonlyMap<string, string> = new Map(
  table.split(',').flatMap((row) => {
    const code = row.slice(0, 2)
    return [[code, code] as const, [row.slice(3).toUpperCase(), code] as const]
  }),
)

const namesByCode = new Map(table.split(',').map((row) => [row.slice(0, 2), row.slice(3)] as const))

export const stateCodes: readonly string[] = [...namesByCode.keys()]

/** By its two letters. */
export const nameOfState = (code: string): string => namesByCode.get(code) ?? code

const westernZones: Readonly<Record<string, string>> = {
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO ID MT NM UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
}
/** The time zone of most of a state. */
export const zoneOfState = (code: string): string =>
  Object.entries(westernZones).find(([, states]) => states.includes(code))?.[0] ?? 'America/New_York'

/** ZIP codes that begin with 0, by state. */
export const zipsWithZero: Readonly<Record<string, RegExp>> = {
  CT: /^06/,
  MA: /^0[125]/,
  ME: /^0[34]/,
  NH: /^03/,
  NJ: /^0[78]/,
  PR: /^00/,
  RI: /^02/,
  VI: /^00/,
  VT: /^05/,
}
