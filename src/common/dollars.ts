/** In whole dollars: "$1,250,000". */
export const dollars = (usd: number): string => `$${Math.round(usd).toLocaleString('en-US')}`
