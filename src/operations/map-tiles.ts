// What map tiles show besides listings: outlines, streets, permits, map layers.
export {
  type Cell,
  layerShapes,
  type MapLayer,
  mapLayers,
  outlinesIn,
  permitCells,
  permitsIn,
  type ShapeRow,
  streetsIn,
} from '../store/map/places.ts'
