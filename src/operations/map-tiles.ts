// What map tiles show besides listings: outlines, streets, permits.
export {
  type Cell,
  type OutlineRow,
  outlinesIn,
  type PermitPoint,
  permitCells,
  permitsIn,
  type StreetRow,
  streetsIn,
} from '../store/map/places.ts'
