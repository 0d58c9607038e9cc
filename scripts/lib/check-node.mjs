/**
 * Says in one line that Node is too old. An old Node has to be able to read this file, and whatever is imported before
 * it has run: plain syntax only, and the rest of a program comes through import().
 */
var oldest = [20, 19];

export function checkNode() {
  var have = process.versions.node.split('.').map(Number);
  if (have[0] > oldest[0] || (have[0] === oldest[0] && have[1] >= oldest[1])) return;
  process.stderr.write(
    'Duework needs Node ' +
      oldest.join('.') +
      ' or newer, and this is ' +
      process.version +
      '. Get it from https://nodejs.org, or with a version manager: nvm install 22\n',
  );
  process.exit(1);
}
