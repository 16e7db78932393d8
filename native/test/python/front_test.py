"""What the front is made from: virtual functions read from headers, and which PyTorch it is."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "python", "lacuna"))

from front import build, identity, sharing, virtuals  # noqa: E402

BASES = """
struct __attribute__((__visibility__("default"))) Allocator {
  virtual ~Allocator() = default;
  virtual DataPtr allocate(size_t n) = 0;
  DataPtr clone(const void* data, std::size_t n);
  virtual bool is_simple_data_ptr(const DataPtr& data_ptr) const;
  virtual DeleterFnPtr raw_deleter() const {
    return nullptr;
  }
 protected:
  void default_copy_data(void* dest) const;
};
struct DeviceAllocator : public c10::Allocator {
  virtual void emptyCache(MempoolId_t mempool_id = {0, 0}) = 0;
  virtual void recordStream(const DataPtr& ptr, c10::Stream stream) = 0;
};
"""
ALLOCATOR = BASES + """
namespace other { class CUDAAllocator; }
class CUDAAllocator : public DeviceAllocator {
 public:
  virtual void* raw_alloc(size_t nbytes) = 0;
  virtual void recordStream(const DataPtr& ptr, CUDAStream stream) = 0;
  void recordStream(const DataPtr& ptr, c10::Stream stream) override {
    recordStream(ptr, CUDAStream(stream));
  }
  virtual SnapshotInfo snapshot(MempoolId_t mempool_id = {0, 0}, bool include_traces = true) = 0;
  virtual void beginAllocateToPool(c10::DeviceIndex device, MempoolId_t id, std::function<bool(cudaStream_t)> filter) = 0;
  virtual int getPoolUseCount(c10::DeviceIndex , MempoolId_t ) {
    if (true) { throw 1; }
    return 0;
  }
  virtual void recordAnnotation(const std::vector<std::pair<std::string, std::string>>& ) {}
  virtual bool isEnabled() const noexcept = 0;
  virtual std::string name() = 0;
  int not_virtual(int x) { return x; }
};
"""


class Records(unittest.TestCase):
    """Of two versions, as they were seen; a process shares one piece of 20 MiB."""

    HEAD = struct.pack("=2siIQQ", b"\2e", 4711, 0x7FFE, 20 << 20, 1)

    def test_a_descriptor_alone(self):
        self.assertEqual(sharing.learn(self.HEAD + struct.pack("=i", 4), 4711), b"\2e")

    def test_a_descriptor_that_is_named_as_one(self):
        self.assertEqual(sharing.learn(self.HEAD + struct.pack("=iii", 1, 0x7FF9, 4), 4711), b"\2e\1\0\0\0\0\0\0\0")

    def test_another_kind_of_handle_is_replaced_by_a_descriptor(self):
        self.assertEqual(sharing.learn(self.HEAD + struct.pack("=ii", 2, 0) + bytes(64), 4711), b"\2e\1\0\0\0\0\0\0\0")

    def test_what_is_built_otherwise_is_refused(self):
        for odd in (b"", self.HEAD, self.HEAD + bytes(5), b"\2c" + self.HEAD[2:] + bytes(4)):
            with self.assertRaises(sharing.Unknown):
                sharing.learn(odd, 4711)
        with self.assertRaises(sharing.Unknown):
            sharing.learn(self.HEAD + bytes(4), 4712)

    def test_nothing_is_kept_where_pytorch_shares_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(sharing.kept(folder), b"")
            sharing.keep(folder, dict(os.environ, PYTHONPATH=folder))  # without a device, or without PyTorch
            self.assertEqual(sharing.kept(folder), b"")


class Virtuals(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.read = {(v.name, tuple(p.type for p in v.parameters)): v for v in virtuals.read(ALLOCATOR, "CUDAAllocator")}

    def test_every_one_is_found_once_the_bases_too(self):
        names = sorted(name for name, _ in self.read)
        self.assertEqual(
            names,
            ["allocate", "beginAllocateToPool", "emptyCache", "getPoolUseCount", "isEnabled", "is_simple_data_ptr", "name", "raw_alloc",
             "raw_deleter", "recordAnnotation", "recordStream", "recordStream", "snapshot"],
        )  # fmt: skip

    def test_parameters_lose_names_and_defaults(self):
        self.assertIn(("snapshot", ("MempoolId_t", "bool")), self.read)
        self.assertIn(("getPoolUseCount", ("c10::DeviceIndex", "MempoolId_t")), self.read)
        self.assertIn(("recordAnnotation", ("const std::vector<std::pair<std::string, std::string>>&",)), self.read)
        self.assertIn(("beginAllocateToPool", ("c10::DeviceIndex", "MempoolId_t", "std::function<bool(cudaStream_t)>")), self.read)

    def test_qualifiers_are_kept(self):
        self.assertTrue(self.read[("isEnabled", ())].const)
        self.assertTrue(self.read[("isEnabled", ())].noexcept)
        self.assertFalse(self.read[("name", ())].const)

    def test_one_that_a_class_and_its_base_name_differently_is_one(self):
        source = "struct Base { virtual void go(const DataPtr& ptr) = 0; }; class Own : public Base { void go(const c10::DataPtr& ptr) override; };"
        self.assertEqual(["const c10::DataPtr&"], [v.parameters[0].type for v in virtuals.read(source, "Own")])

    def test_overloads_have_names_of_their_own(self):
        names = {virtuals.macro(v) for v in self.read.values()}
        self.assertEqual(len(names), len(self.read))
        self.assertIn("FRONT_HAS_recordStream_const_DataPtr_c10_Stream", names)
        self.assertIn("FRONT_HAS_emptyCache_MempoolId_t", names)

    def test_what_is_missing_or_not_understood_is_said(self):
        for source, word in (("struct Other {};", "CUDAAllocator"), ("class CUDAAllocator : public Gone { };", "Gone")):
            with self.assertRaisesRegex(virtuals.Unreadable, word):
                virtuals.read(source, "CUDAAllocator")
        with self.assertRaisesRegex(virtuals.Unreadable, "operator"):
            virtuals.read("class CUDAAllocator { virtual operator bool = 0; };", "CUDAAllocator")

    @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
    def test_the_forwards_compile_and_leave_nothing_out(self):
        """A class that lacks one pure virtual function cannot be made; one that is forwarded twice does not compile."""
        types = """
            #include <cstddef>
            #include <functional>
            #include <string>
            #include <utility>
            #include <vector>
            struct DataPtr {}; struct CUDAStream {}; struct SnapshotInfo {}; struct MempoolId_t { int a, b; };
            using cudaStream_t = void *; using DeleterFnPtr = void (*)(void *);
            namespace c10 { using DeviceIndex = signed char; struct Stream { operator CUDAStream() { return {}; } }; }
        """
        declared = ALLOCATOR.replace("public c10::Allocator", "public Allocator").replace("CUDAStream(stream)", "(CUDAStream)stream")
        whole = types + declared + "struct Forwarding : CUDAAllocator {\n using DeviceIndex = c10::DeviceIndex; CUDAAllocator *native;\n"
        whole += virtuals.forwards(self.read.values()) + "};\nbool ok(Forwarding &f) { return f.isEnabled(); }\nForwarding one;\n"
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        source = os.path.join(folder, "forwards.cpp")
        with open(source, "w") as text:
            text.write(whole)
        done = subprocess.run(["c++", "-std=c++17", "-fsyntax-only", source], stderr=subprocess.PIPE)
        self.assertEqual((0, ""), (done.returncode, done.stderr.decode()))
        missing = whole.replace("return native->name(", "return native->not_virtual2(")
        with open(source, "w") as text:
            text.write(missing)
        self.assertNotEqual(0, subprocess.run(["c++", "-std=c++17", "-fsyntax-only", source], stderr=subprocess.DEVNULL).returncode)


class Identity(unittest.TestCase):
    @unittest.skipUnless(shutil.which("readelf"), "no readelf")
    def test_build_ids_are_those_that_the_linker_wrote(self):
        told = subprocess.run(["readelf", "-n", "/bin/sh"], stdout=subprocess.PIPE, check=True).stdout.decode()
        (wanted,) = [line.split(":")[1].strip() for line in told.splitlines() if "Build ID" in line]
        self.assertEqual(wanted, identity.build_id("/bin/sh"))

    def test_what_is_no_library_is_refused(self):
        with self.assertRaises(identity.Unknown):
            identity.build_id(os.path.abspath(__file__))

    def test_a_process_without_cuda_has_none(self):
        with self.assertRaisesRegex(identity.Unknown, "libc10_cuda.so is not loaded"):
            identity.of(None)


def is_running(pid):
    """Within a second; nobody may have waited for it yet."""
    for _ in range(100):
        try:
            with open("/proc/%s/stat" % pid) as stat:
                if stat.read().rpartition(") ")[2].startswith("Z"):
                    return False
        except FileNotFoundError:
            return False
        time.sleep(0.01)
    return True


class Keeping(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        kept = {name: os.environ.get(name) for name in ("LACUNA_EXTENSIONS", "CXX", "PATH")}
        self.addCleanup(lambda: [os.environ.pop(k, None) if v is None else os.environ.update({k: v}) for k, v in kept.items()])
        os.environ["LACUNA_EXTENSIONS"] = self.folder
        self.one = identity.Identity(identity.CUDA, "2.9.1+cu130", 1, "ab" * 20, (), ("/nowhere",), ())

    def test_one_that_was_shipped_is_taken(self):
        shipped = os.path.join(self.folder, "shipped")
        with mock.patch.object(build, "_shipped", lambda: shipped):
            own = build.place_of(self.one)
            there = os.path.join(shipped, os.path.basename(os.path.dirname(own)), build.LIBRARY)
            os.makedirs(os.path.dirname(there))
            open(there, "w").close()
            self.assertEqual(build.find_or_build(self.one, "/nowhere"), there)
            self.assertNotEqual(build.place_of(self.one._replace(abi=0)), there)

    def test_each_pytorch_and_each_source_has_a_place_of_its_own(self):
        places = {build.place_of(one) for one in (self.one, self.one._replace(abi=0), self.one._replace(build_id="cd" * 20))}
        self.assertEqual(3, len(places))
        self.assertTrue(all(place.startswith(self.folder) for place in places))

    def test_a_failure_names_its_cause_and_leaves_nothing(self):
        with self.assertRaises(build.Failed) as failed:
            build.find_or_build(self.one, "/nowhere/liblacuna_torch.so")
        self.assertRegex(str(failed.exception), "headers cannot be read|no C\\+\\+ compiler")
        left = [name for name in os.listdir(os.path.join(self.folder, "front")) if not name.endswith((".lock", ".refused"))]
        self.assertEqual([], left)

    @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
    def test_what_failed_is_not_tried_at_each_start(self):
        for reason in ("headers cannot be read", "tried before"):
            with self.assertRaisesRegex(build.Failed, reason):
                build.find_or_build(self.one, "/nowhere/liblacuna_torch.so")
        (refusal,) = [name for name in os.listdir(os.path.join(self.folder, "front")) if name.endswith(".refused")]
        os.utime(os.path.join(self.folder, "front", refusal), (0, 0))
        with self.assertRaises(build.Failed) as failed:
            build.find_or_build(self.one, "/nowhere/liblacuna_torch.so")
        self.assertNotIn("tried before", str(failed.exception))

    def test_a_compiler_that_takes_too_long_ends_with_all_that_it_started_and_is_tried_once(self):
        """A driver that waits for the compiler proper."""
        compiler, pids = os.path.join(self.folder, "c++"), os.path.join(self.folder, "pids")
        with open(compiler, "w") as script:
            script.write("#!/bin/sh\nsleep 600 &\necho $! >>%s\nwait\n" % pids)
        os.chmod(compiler, 0o700)
        os.environ["CXX"] = compiler
        with mock.patch.object(build, "PATIENCE_SECONDS", 2), self.assertRaisesRegex(build.Failed, "not within 2 s"):
            build.find_or_build(self.one, "/nowhere/liblacuna_torch.so")
        with open(pids) as started:
            (pid,) = started.read().split()
        self.assertFalse(is_running(pid), "it goes on")

    def test_without_a_compiler_it_says_which_to_install(self):
        os.environ["PATH"] = self.folder
        os.environ.pop("CXX", None)
        with self.assertRaisesRegex(build.Failed, "no C\\+\\+ compiler"):
            build.find_or_build(self.one, "/nowhere/liblacuna_torch.so")


if __name__ == "__main__":
    unittest.main()
