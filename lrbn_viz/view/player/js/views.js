// The files of the player's views. A new view is a file like these, its line here, and its title in views.json.
import "./why.js";
import "./raster.js";
import "./truth.js";
import "./ladder.js";
import "./basins.js";
import "./matrix.js";
import "./mosaic.js";
import "./network.js";
