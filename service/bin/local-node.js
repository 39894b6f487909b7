'use strict';
// Finds or downloads a Node that can run the service. Written in old JavaScript.

var childProcess = require('child_process');
var fs = require('fs');
var os = require('os');
var path = require('path');
var npm = require('./run-npm.js');

/**
 * A lock file with the packages that contain Node, one for each platform. Only the published package
 * has it. A clone installs Node with its other packages.
 */
var LOCK_FILE = path.join(__dirname, '..', 'node-lock.json');

function isNewEnough(version) {
  var parts = version.replace(/^v/, '').split('.').map(Number);
  return (parts[0] === 24 && parts[1] >= 19) || parts[0] >= 26;
}

/** Finds the `node` that a package installed into `node_modules/.bin`, here or in a parent folder. */
function findNode() {
  var folder = __dirname;
  for (;;) {
    var candidate = path.join(folder, 'node_modules', '.bin', 'node');
    if (isUsable(candidate)) return candidate;
    var parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function isUsable(node) {
  if (!fs.existsSync(node)) return false;
  var result = childProcess.spawnSync(node, ['--version'], { encoding: 'utf8' });
  return result.status === 0 && isNewEnough(result.stdout.trim());
}

/**
 * Resolves with the path of a Node that npm downloaded to the user's cache, now or earlier, or with
 * null if there is none for this platform. npm verifies the download against the lock file.
 */
function downloadNode() {
  if (!fs.existsSync(LOCK_FILE)) return Promise.resolve(null);
  var lock = JSON.parse(fs.readFileSync(LOCK_FILE, 'utf8'));
  var name = 'node-' + process.platform + '-' + process.arch;
  var entry = lock.packages['node_modules/' + name];
  if (entry === undefined) return Promise.resolve(null);
  var node = path.join(cacheFolder(), name + '-' + entry.version, 'node');
  if (isUsable(node)) return Promise.resolve(node);
  say('afterbell: downloading Node ' + entry.version + ' (once; kept in ' + cacheFolder() + ') …');
  return install(lock, name, node).then(function () {
    return isUsable(node) ? node : null;
  });
}

/** Keeps only the binary, which is two thirds of the package. */
function install(lock, name, node) {
  var startedAt = Date.now();
  fs.mkdirSync(cacheFolder(), { recursive: true });
  var folder = fs.mkdtempSync(path.join(cacheFolder(), 'install-'));
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(lock.packages['']));
  return npm
    .runNpm(['ci', '--include=optional', '--ignore-scripts'], folder)
    .then(function (result) {
      try {
        if (result.code !== 0) throw new Error(npm.npmProblem(result));
        fs.mkdirSync(path.dirname(node), { recursive: true });
        // Replaces the file at once, so that several first starts cannot disturb each other.
        fs.renameSync(path.join(folder, 'node_modules', name, 'bin', 'node'), node);
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
      }
      say('afterbell: Node downloaded in ' + Math.round((Date.now() - startedAt) / 1000) + ' s');
    });
}

function cacheFolder() {
  var folder = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return path.join(folder, 'afterbell');
}

/** Writes to stderr, because stdout belongs to the command. */
function say(line) {
  process.stderr.write(line + '\n');
}

module.exports = { isNewEnough: isNewEnough, findNode: findNode, downloadNode: downloadNode };
