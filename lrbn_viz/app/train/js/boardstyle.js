// What the training board adds to the player's style and icons.

import {ICONS} from "../../../view/player/js/dom.js";

Object.assign(ICONS, {
  stop: "M6 6h12v12H6z",
  fresh: "M10.800 5h2.400v5.800H19v2.400h-5.800V19h-2.400v-5.800H5v-2.400h5.800z",
  rewind:
    "M9.500 4.500v3.800h4.700a5.200 5.200 0 0 1 0 10.400H8v-2.400h6.200a2.800 2.800 0 0 0 0-5.600H9.500v3.800L3.500 9.500z",
  branch:
    "M6 3v18h2.200v-6.200c4.800 0 6.300-2.700 6.300-5.600V8.600h2.800L13.400 3.500 9.500 8.600h2.800v.6c0 2-.9 3.400-4.100 3.400V3z",
});

export const BOARD_STYLE = `
.lt-lanes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30em), 1fr)); gap: 1em; }
.lt-numbers { display: flex; gap: .2em 1.1em; flex-wrap: wrap; color: var(--lv-muted); } .lt-numbers b { color: var(--lv-ink); }
.lt-views { display: grid; grid-template-columns: minmax(0, 64fr) minmax(0, 36fr); gap: .8em 1.2em; }
.lt-strips { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .45em .7em; align-items: center; align-self: start; }
.lt-strips > span { font-size: .84em; color: var(--lv-muted); white-space: nowrap; }
.lv .lt-strips canvas { border-radius: .15em; }
.lt-strips small { display: block; } .lt-strips > .lt-stamp { grid-column: 1 / -1; } .lt .lv-label small, .lt-stamp, .lt-numbers small { font-variant-numeric: tabular-nums; color: var(--lv-muted); }
.lt-numbers-below { display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); font-size: .72em; line-height: 1.3; text-align: center; color: var(--lv-muted); min-height: 1.3em; }
.lt-mosaic, .lt-usage { display: flex; flex-direction: column; min-width: 0; } .lt-mosaic { grid-column: 1 / -1; } .lt-scroll { position: relative; overflow-y: auto; overflow-x: hidden; } .lt-scroll canvas { position: sticky; top: 0; } .lv .lt-scroll canvas:focus-visible { outline-offset: -2px; }
.lt-usage .lv-fill { min-height: 3em; } .lt figure > .lv-legend { margin-top: .3em; }
.lt .lv-label { font-size: .84em; margin-bottom: .25em; height: auto; line-height: 1.3; flex-wrap: wrap; gap: 0 .8em; white-space: normal; }
.lt-legend { display: flex; gap: .5em; align-items: center; font-size: .8em; color: var(--lv-muted); white-space: nowrap; }
.lt-legend i { flex: 1; height: .7em; border-radius: .2em; background: linear-gradient(90deg, var(--lv-minus), var(--lv-ground), var(--lv-plus)); }
.lt-curves > header { display: flex; align-items: baseline; gap: .4em 1.2em; flex-wrap: wrap; margin-bottom: .5em; } .lt-curves > header select { margin-left: auto; font-size: .9em; }
.lt-charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5em), 1fr)); gap: .7em 1.4em; align-items: end; }
.lv .lt-lineage { color: var(--lv-muted); font-size: .88em; margin: -.2em 0 .6em; overflow-wrap: anywhere; } .lv .lt-lineage:empty { display: none; }
.lv-key .lt-ghost { overflow-wrap: anywhere; } .lv-key .lt-ghost::before { width: 1.5em; flex: none; height: 0; background: none; border-radius: 0; border-top: 2px dashed var(--lv-muted); }
.lt-chart { min-width: 0; } .lv .lt-chart canvas { height: 7.2em; }
.lt-chart figcaption { display: flex; justify-content: space-between; gap: .6em; font-size: .88em; font-weight: 650; line-height: 1.25; margin-bottom: .2em; }
.lt-chart small { white-space: nowrap; } .lt-chart b { white-space: nowrap; align-self: end; }
.lt-chart small { font-weight: 400; color: var(--lv-muted); } .lt-chart b { display: flex; gap: .7em; }
.lv-key .lt-now::before { width: 2px; height: 1em; border-radius: 0; }
.lt-next > p { color: var(--lv-muted); margin: .3em 0 .6em; } .lt-next-acts { flex-wrap: wrap; gap: .5em; } .lv .lt-next-acts .lv-small { color: var(--lv-ink); height: 2.4em; }
.lt-thumbs { display: flex; flex-wrap: wrap; gap: .4em; margin-top: .6em; } .lt-thumb { width: 2.9em; padding: 0; border: 0; background: none; cursor: pointer; border-radius: .3em; }
.lt-thumb:hover { outline: 2px solid var(--lv-now); }
.lt-empty { max-width: 46em; margin: 6vh auto 0; padding: 1.6em 1.8em; display: grid; gap: .9em; } .lt-empty h2 { font-size: 1.35em; } .lt-empty p { color: var(--lv-muted); line-height: 1.5; }
.lv .lt-go { justify-self: start; background: var(--lv-ink); color: var(--lv-surface); padding: 0 1.2em 0 .8em; } .lv .lt-go:hover { opacity: .88; background: var(--lv-ink); } .lv .lt-go span { display: inline; }
.lv .lt-transport { grid-template-columns: auto minmax(0, 1fr); position: relative; }
.lt-transport::before { content: ""; position: absolute; left: 0; top: -2px; height: 3px; width: var(--lt-progress, 0); background: var(--lv-now); }
.lt-transport .lv-btn svg { width: 1.25em; height: 1.25em; } .lt-transport .lv-btn.lv-main svg { width: 1.45em; height: 1.45em; } .lt-transport .lv-btn span { font-size: .92em; white-space: nowrap; }
.lt-transport .lv-scrub { grid-column: 2; } .lv .lt-transport .lv-buttons { grid-row: span 3; }
.lt-kept { grid-column: 2; font-size: .84em; color: var(--lv-muted); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; order: 3; }
.lv .lt-error { padding: .6em .9em; border: 1px solid currentColor; border-radius: .5em; } .lv .lt-error:empty { display: none; }
.lt-work > header { display: flex; align-items: baseline; gap: .3em .8em; flex-wrap: wrap; } .lt-work > header a { margin-left: auto; text-decoration: none; }
.lt-where, .lv .lt-note { color: var(--lv-muted); overflow-wrap: anywhere; min-width: 0; } .lv .lt-note { font-size: .88em; margin: .5em 0 0; } .lv .lt-note:empty { display: none; }
.lt-passes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22em), 1fr)); gap: .5em 1.4em; margin-top: .5em; font-variant-numeric: tabular-nums; }
.lt-passes:empty { display: none; } .lt-pass progress { display: block; width: 100%; height: .4em; margin-top: .3em; appearance: none; border: 0; border-radius: .2em; overflow: hidden; background: var(--lv-line); }
.lt-pass progress::-webkit-progress-bar { background: var(--lv-line); } .lt-pass progress::-webkit-progress-value { background: var(--lv-now); } .lt-pass progress::-moz-progress-bar { background: var(--lv-now); }
@container (min-width: 2400px) { .lt-charts { grid-template-columns: repeat(auto-fit, minmax(25em, 1fr)); row-gap: 1.4em; } .lv .lt-chart canvas { height: 13em; } }
@container (max-width: 1000px) {
  .lv .lt-transport { grid-template-columns: minmax(0, 1fr); } .lt-transport .lv-scrub, .lt-kept { grid-column: 1; order: -1; } .lt-kept { order: 4; }
  .lv .lt-transport .lv-buttons { justify-content: space-between; grid-row: auto; } .lt-transport .lv-buttons .lv-btn span { display: inline; }
}
@container (max-width: 720px) {
  .lt-views { grid-template-columns: minmax(0, 1fr); } .lt-kept { white-space: normal; }
  .lt-transport .lv-buttons .lv-btn span { display: none; }
}
`;
