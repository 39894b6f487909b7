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

var NODE_MIN = [24, 19];
var NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

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
  return runNpm(root).then(function (result) {
    if (result.code !== 0) return installProblem(result);
    dropUnusableNode(root);
    fs.writeFileSync(stampFile(root), stampOf(root));
    say('afterbell: packages installed in ' + Math.round((Date.now() - startedAt) / 1000) + ' s');
    return null;
  });
}

function runNpm(root) {
  // Shortens npm's default retry delays, which add up to more than a minute without a network.
  var retries = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  var args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'].concat(
    retries,
  );
  var command = npmCommand();
  return new Promise(function (resolve) {
    var child = childProcess.spawn(command.file, command.args.concat(args, '--loglevel=error'), {
      cwd: root,
      env: cleanEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.shell,
    });
    var output = '';
    function collect(chunk) {
      output = (output + chunk).slice(0, 8000);
    }
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', function (error) {
      resolve({ code: 1, output: output + error.message });
    });
    child.on('close', function (code) {
      resolve({ code: code === null ? 1 : code, output: output });
    });
  });
}

/**
 * Runs this script's npm on the Node that runs npm, because the Node on the path may be the one in
 * node_modules that the install replaces.
 */
function npmCommand() {
  var npm = process.env.npm_execpath;
  if (npm === undefined || !/npm-cli\.c?js$/.test(npm)) {
    var windows = process.platform === 'win32';
    return { file: windows ? 'npm.cmd' : 'npm', args: [], shell: windows };
  }
  var node = process.env.npm_node_execpath;
  var usable = node !== undefined && fs.existsSync(node);
  return { file: usable ? node : process.execPath, args: [npm], shell: false };
}

/** Removes options from the outer npm that would redirect or reduce the install. */
function cleanEnvironment(env) {
  var dropped =
    /^npm_config_(prefix|local_prefix|global_prefix|global|location|workspaces?|include_workspace_root|json|silent|omit|only|production|dry_run|ignore_scripts|package_lock_only)$/i;
  var clean = {};
  Object.keys(env).forEach(function (name) {
    if (!dropped.test(name)) clean[name] = env[name];
  });
  return clean;
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

function installProblem(result) {
  var lines = result.output.trim().split('\n').filter(isRelevant).slice(0, 12);
  var cause = NETWORK.test(result.output)
    ? 'Could not download packages: check the network and access to the npm registry.'
    : 'Could not install packages.';
  return [cause, 'npm output:'].concat(lines.map(indent)).join('\n');
}

/** Returns false for stack frames in npm's own code. */
function isRelevant(line) {
  return !/^npm error\s+(at |$)/.test(line);
}

function indent(line) {
  return '  ' + line;
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

module.exports = { bootstrap: bootstrap, fitsLock: fitsLock, cleanEnvironment: cleanEnvironment };

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
