import { packPanel } from "./panel";
import { COLUMNS, ROWS, settle, tile } from "./tile";

// A patch is read where it lies in the image: its rows are the segments of a tile's row. So there is no matrix
// of patches, and an image padded once serves forward pass and both gradients.

/** Packs a filter [kh, kw, c, o] for `convolveImage`: panel after panel of 8 output channels. */
export function packFilter(panels: usize, filter: usize, patch: i32, o: i32): void {
  for (let column = 0; column < o; column += COLUMNS) {
    const source = filter + ((column as usize) << 2);
    packPanel(panels, source, patch, min(COLUMNS, o - column), (o as usize) << 2, 4);
    panels += (patch as usize) << 5;
  }
}

/**
 * Packs the filter [kh, kw, c, o] turned by half and with its channels exchanged, as the gradient of the input
 * needs it: panel after panel of 8 input channels, k running over [kh, kw, o].
 */
export function packTurnedFilter(panels: usize, filter: usize, places: i32, c: i32, o: i32): void {
  const placeBytes = ((c * o) as usize) << 2;
  for (let column = 0; column < c; column += COLUMNS) {
    for (let place = places - 1; place >= 0; place--) {
      const source = filter + (place as usize) * placeBytes + (((column * o) as usize) << 2);
      packPanel(panels, source, o, min(COLUMNS, c - column), 4, (o as usize) << 2);
      panels += (o as usize) << 5;
    }
  }
}

/**
 * Convolves one image, already padded, of width `w` and `c` channels: out [outH, outW, o].
 * @param panels the packed filter of kh x kw x c to o
 * @param spare 128 bytes of scratch
 */
export function convolveImage(
  out: usize,
  outH: i32,
  outW: i32,
  o: i32,
  image: usize,
  w: i32,
  c: i32,
  panels: usize,
  kh: i32,
  kw: i32,
  strideH: i32,
  strideW: i32,
  dilationH: i32,
  dilationW: i32,
  spare: usize,
): void {
  const pixel = (c as usize) << 2;
  const imageRow = (w as usize) * pixel;
  const patch = kh * kw * c;
  const cStep = (o as usize) << 2;
  const stepX = (strideW as usize) * pixel;
  const stepY = (strideH as usize) * imageRow;
  const nextPatchRow = (dilationH as usize) * imageRow;
  // A row of a patch is one run of floats unless the filter has holes.
  const solid = dilationW == 1;
  const passes = solid ? 1 : kh;
  const segments = solid ? kh : kw;
  const length = solid ? kw * c : c;
  const segmentStep = solid ? nextPatchRow : (dilationW as usize) * pixel;
  const passPanel = (((kw * c) as usize) << 5);
  const total = outH * outW;

  for (let column = 0; column < o; column += COLUMNS) {
    const columns = min(COLUMNS, o - column);
    let x = 0;
    let rowStart = image;
    let at = image;
    for (let place = 0; place < total; place += ROWS) {
      const rows = min(ROWS, total - place);
      let a0 = at;
      let a1 = at;
      let a2 = at;
      let a3 = at;
      for (let row = 0; row < rows; row++) {
        if (row == 0) a0 = at;
        if (row <= 1) a1 = at;
        if (row <= 2) a2 = at;
        a3 = at;
        at += stepX;
        if (++x == outW) {
          x = 0;
          rowStart += stepY;
          at = rowStart;
        }
      }
      const target = out + (place as usize) * cStep + ((column as usize) << 2);
      const whole = rows == ROWS && columns == COLUMNS;
      const into = whole ? target : spare;
      const intoStep: usize = whole ? cStep : 32;
      let down: usize = 0;
      let panel = panels;
      for (let pass = 0; pass < passes; pass++) {
        tile(
          into, intoStep, a0 + down, a1 + down, a2 + down, a3 + down,
          4, length, segments, segmentStep, panel, 32, pass > 0,
        );
        down += nextPatchRow;
        panel += passPanel;
      }
      if (!whole) settle(target, cStep, spare, rows, columns, false);
    }
    panels += (patch as usize) << 5;
  }
}

/**
 * Adds one image's part to the gradient of a filter [kh, kw, c, o].
 * @param image already padded, of width `w`
 * @param dy gradient of the output, [outH, outW, o]
 * @param panel scratch of 32 bytes for each of outH x outW
 * @param first true for the first image, which overwrites
 */
export function filterGradientOfImage(
  gradient: usize,
  kh: i32,
  kw: i32,
  c: i32,
  o: i32,
  image: usize,
  w: i32,
  dy: usize,
  outH: i32,
  outW: i32,
  strideH: i32,
  strideW: i32,
  panel: usize,
  spare: usize,
  first: bool,
): void {
  const pixel = (c as usize) << 2;
  const imageRow = (w as usize) * pixel;
  const patchRow = kw * c;
  const patch = kh * patchRow;
  const cStep = (o as usize) << 2;
  const stepX = (strideW as usize) * pixel;
  const stepY = (strideH as usize) * imageRow;

  for (let column = 0; column < o; column += COLUMNS) {
    const columns = min(COLUMNS, o - column);
    packPanel(panel, dy + ((column as usize) << 2), outH * outW, columns, cStep, 4);
    let inRow = 0;
    let rowStart = image;
    let at = image;
    for (let element = 0; element < patch; element += ROWS) {
      const rows = min(ROWS, patch - element);
      let a0 = at;
      let a1 = at;
      let a2 = at;
      let a3 = at;
      for (let row = 0; row < rows; row++) {
        if (row == 0) a0 = at;
        if (row <= 1) a1 = at;
        if (row <= 2) a2 = at;
        a3 = at;
        at += 4;
        if (++inRow == patchRow) {
          inRow = 0;
          rowStart += imageRow;
          at = rowStart;
        }
      }
      const target = gradient + (element as usize) * cStep + ((column as usize) << 2);
      const whole = rows == ROWS && columns == COLUMNS;
      tile(
        whole ? target : spare, whole ? cStep : 32, a0, a1, a2, a3,
        stepX, outW, outH, stepY, panel, 32, whole && !first,
      );
      if (!whole) settle(target, cStep, spare, rows, columns, !first);
    }
  }
}
