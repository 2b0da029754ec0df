// What of an address is a step of the way back.
import assert from "node:assert/strict";
import {test} from "node:test";
import {pageOf} from "../../lrbn_viz/app/shared/js/navigation.js";

const NAMES = ["inference", "train", "compare", "lessons"];

test("an address shows the page that it names, the first where it names none or another, and its lesson", () => {
  for (const [search, page, lesson] of [
    ["", "inference", ""], ["?model=m&image=3", "inference", ""], ["?page=train&run=r", "train", ""], ["?image=2&page=compare", "compare", ""],
    ["?page=nowhere", "inference", ""], ["?lesson=start&step=2", "inference", "start"], ["?page=lessons", "lessons", ""],
  ]) assert.deepEqual(pageOf(search, NAMES), {page, lesson}, search);
});
