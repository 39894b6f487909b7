'use strict';

// Runs before every npm script, on whatever Node version is installed on the machine. Installs
// packages that are missing or do not match package-lock.json, and prints an explanation if no
// suitable Node is available. Never writes to stdout, which belongs to the command that follows.

var childProcess = require('child_process');
var crypto = require('crypto');
var fs = require('fs');
var os = require('os');
var path = require('path');
var takeLock = require('./bootstrap-lock.cjs').takeLock;
var npm = require('../service/bin/run-npm.js');

var NODE_MIN = [24, 19];

function bootstrap(root) {
  if (isInstalled(root)) return Promise.resolve(nodeProblem(root));
  return takeLock(path.join(root, '.bootstrap.lock'), say).then(function (release) {
    // Another process may have installed everything while this process waited.
    var work = isInstalled(root) ? Promise.resolve(null) : install(root);
    return work.then(
      function (problem) {
        release();
        return problem === null ? nodeProblem(root) : problem;
      },
      function (error) {
        release();
        throw error;
      },
    );
  });
}

function isInstalled(root) {
  var wanted = stampOf(root);
  if (readText(stampFile(root)) === wanted) return true;
  if (!fitsLock(root)) return false;
  fs.writeFileSync(stampFile(root), wanted);
  return true;
}

function stampFile(root) {
  return path.join(root, 'node_modules', '.installed');
}

/**
 * Returns a stamp that identifies an installation by the lock file, the platform and the processor.
 */
function stampOf(root) {
  var lock = fs.readFileSync(path.join(root, 'package-lock.json'));
  var hash = crypto.createHash('sha256').update(lock).digest('hex');
  return [hash, process.platform, process.arch].join(' ') + '\n';
}

/**
 * Returns true if packages installed by other means (`npm install`, `npm ci`) match the lock file.
 * npm records what it installed in node_modules.
 */
function fitsLock(root) {
  var lock = readJson(path.join(root, 'package-lock.json'));
  var installed = readJson(path.join(root, 'node_modules', '.package-lock.json'));
  if (lock === null || installed === null) return false;
  return Object.keys(lock.packages).every(function (name) {
    if (name.indexOf('node_modules/') === -1) return true;
    var want = lock.packages[name];
    var have = installed.packages[name];
    if (have === undefined) return want.optional === true && !isMadeForThisMachine(want);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

/**
 * Returns true if this platform and processor need the package. Packages for a specific C library,
 * and their dependencies, are left to npm.
 */
function isMadeForThisMachine(entry) {
  if (entry.libc !== undefined) return false;
  return lists(entry.os, process.platform) && lists(entry.cpu, process.arch);
}

function lists(allowed, value) {
  return [].concat(allowed).indexOf(value) !== -1;
}

function install(root) {
  var startedAt = Date.now();
  say('afterbell: installing packages (first start, or package-lock.json changed) …');
  fs.rmSync(stampFile(root), { force: true });
  return npm.runNpm(['ci', '--include=dev', '--include=optional'], root).then(function (result) {
    if (result.code !== 0) return npm.npmProblem(result);
    dropUnusableNode(root);
    fs.writeFileSync(stampFile(root), stampOf(root));
    say('afterbell: packages installed in ' + Math.round((Date.now() - startedAt) / 1000) + ' s');
    return null;
  });
}

/**
 * Removes the packaged Node if this machine's C library cannot run it, so that the machine's own
 * Node is used.
 */
function dropUnusableNode(root) {
  var link = packagedNode(root);
  if (!fs.existsSync(link)) return;
  var tried = childProcess.spawnSync(link, ['--version'], { encoding: 'utf8' });
  if (tried.status !== 0) fs.rmSync(link, { force: true });
}

function packagedNode(root) {
  return path.join(root, 'node_modules', '.bin', 'node');
}

/**
 * Returns what is wrong with the available Node, or null if the scripts that follow will find a
 * suitable one.
 */
function nodeProblem(root) {
  if (fs.existsSync(packagedNode(root))) return null;
  var version = process.versions.node.split('.').map(Number);
  var isNewEnough = version[0] === NODE_MIN[0] ? version[1] >= NODE_MIN[1] : version[0] >= 26;
  if (isNewEnough) return null;
  return (
    'Afterbell needs Node ' +
    NODE_MIN.join('.') +
    ' or a later 24, or 26 and above; this is ' +
    process.versions.node +
    ' on ' +
    os.type() +
    ' ' +
    process.arch +
    ', for which the packages include no Node. ' +
    'Install Node 24 and start again.'
  );
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function say(line) {
  process.stderr.write(line + '\n');
}

module.exports = { bootstrap: bootstrap, fitsLock: fitsLock };

/**
 * Builds the web pages using the installed Node. A second command in package.json would not work,
 * because the shell remembers where it found `node` before the install.
 */
function buildPages(root) {
  var node = fs.existsSync(packagedNode(root)) ? packagedNode(root) : process.execPath;
  var script = path.join(root, 'scripts', 'build-dashboard.ts');
  var built = childProcess.spawnSync(node, [script], { cwd: root, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) process.exit(1);
}

if (require.main === module) {
  bootstrap(path.join(__dirname, '..')).then(
    function (problem) {
      if (problem !== null) {
        say('afterbell: ' + problem);
        process.exit(1);
      }
      if (process.argv.indexOf('--build') !== -1) buildPages(path.join(__dirname, '..'));
    },
    function (error) {
      say('afterbell: ' + error.message);
      process.exit(1);
    },
  );
}
