// The player's views, in the order in which they stand. A new view is a file like these, and its line here.
import "./why.js";
import "./raster.js";
import "./truth.js";
import "./ladder.js";
import "./basins.js";
import "./matrix.js";
import "./mosaic.js";
