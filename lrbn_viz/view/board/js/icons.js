// Icons that the training board adds to the player's.

import {ICONS} from "../../player/js/dom.js";

Object.assign(ICONS, {
  stop: "M6 6h12v12H6z",
  fresh: "M10.800 5h2.400v5.800H19v2.400h-5.800V19h-2.400v-5.800H5v-2.400h5.800z",
  rewind:
    "M9.500 4.500v3.800h4.700a5.200 5.200 0 0 1 0 10.400H8v-2.400h6.200a2.800 2.800 0 0 0 0-5.600H9.500v3.800L3.500 9.500z",
  slow: "M3 5h2v14H3zM7 5h2v14H7zM11 5v14l10.500-7z",
  branch:
    "M6 3v18h2.200v-6.200c4.800 0 6.300-2.700 6.300-5.600V8.600h2.800L13.400 3.500 9.500 8.600h2.800v.6c0 2-.9 3.400-4.100 3.400V3z",
});
