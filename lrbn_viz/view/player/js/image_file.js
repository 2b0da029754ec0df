// Conversion of an image file to the format of the data set.

import {element, penOf} from "./dom.js";

// Binary pixels of an image file, scaled into rows x columns; 1 is ink. Ink is what differs from the paper, whose tone is
// that of most of the border. Null if the image has only one tone.
/** @param {File} file @param {number} rows @param {number} columns */
export async function bitsOfFile(file, rows, columns) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(columns / picture.width, rows / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale)),
    height = Math.max(1, Math.round(picture.height * scale));
  const context = penOf(element("canvas", {width, height}), {willReadFrequently: true});
  context.fillStyle = "#fff"; // behind transparent pixels
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  const {data} = context.getImageData(0, 0, width, height);
  const tone = Float64Array.from(
    {length: width * height},
    (_, i) => 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2],
  );
  const low = Math.min(...tone),
    high = Math.max(...tone),
    middle = (low + high) / 2;
  if (high - low < 16) return null;
  const border = Array.from(tone).filter(
    (_, i) => i < width || i >= tone.length - width || i % width === 0 || i % width === width - 1,
  );
  const onLight = 2 * border.filter((value) => value > middle).length > border.length;
  const bits = new Uint8Array(rows * columns),
    top = (rows - height) >> 1,
    left = (columns - width) >> 1;
  tone.forEach((value, i) => {
    bits[(top + Math.floor(i / width)) * columns + left + (i % width)] = value > middle !== onLight ? 1 : 0;
  });
  return bits;
}
