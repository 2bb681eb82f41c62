// Contractors and architects named on permits. All names are made up.

const firmNames =
  'Tessaline Quorrick Marlowend Brackfern Sundrow Oakhelm Fennimark Larkstone Velbury Dunmorrow Ashquill Corvane Pelhurst Wrenlock Thornabey Highmeadow Kestering Rushvale Ellowick Sablefield Norvane Graymarch Tidewick Saltmere Cobbleton Hazelorn Birchlow Mirefold Stonequay Amberlin Foxhollow Ravenmoor Cedarwick Lindengate Farrowby Quillmarsh'.split(
    ' ',
  )

export const contractors: readonly string[] = firmNames.flatMap((name, i) =>
  [
    `${name} Builders`,
    `${name} Construction Inc`,
    `${name} & Sons Contracting`,
    `${name} Roofing and Solar`,
    `${name} Home Services`,
  ].slice(i % 2, 3 + (i % 3)),
)

/** The firms of one family name share a license, except the roofers and the services, which have none. */
export const licenseOf = (contractor: string): string | undefined => {
  const at = firmNames.indexOf(contractor.split(' ')[0]!)
  return /Builders|Construction/.test(contractor) ? String(604_113 + 1_931 * at) : undefined
}

export const architects: readonly string[] = firmNames
  .filter((_, i) => i % 2 === 0)
  .flatMap((name) => [`${name} Architects`, `Studio ${name}`])
