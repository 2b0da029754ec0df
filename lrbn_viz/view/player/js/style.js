// The style of the player, which all cards share, whichever page they are on.

import {themed} from "./theme.js";
import PLAYER_STYLE from "./style.css";

export const STYLE = themed(".lv") + PLAYER_STYLE;
